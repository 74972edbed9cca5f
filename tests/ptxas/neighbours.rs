//! Spellings and operands one step from a legal instruction.

use crate::instances::{REGISTERS, others, plain_list, reg, text};
use crate::random::Random;
use girih::gpu::ptx::{Form, Instruction, Opcode, Operand, Place, Type};
use std::collections::BTreeSet;

/// An instruction's text, and itself if the table takes it.
pub type Neighbour = (String, Option<Instruction>);

/// All qualifiers that a mnemonic has anywhere, and all types but those that `ptxas` passes over where they say nothing.
pub fn vocabulary(mnemonic: &str) -> Vec<&'static str> {
    let forms = Form::all().filter(|form| form.mnemonic() == mnemonic);
    let words = forms.flat_map(|form| form.slots().iter().flat_map(|slot| slot.values().map(|v| v.name())));
    let ignored = [Type::Pred, Type::B8x16, Type::B6x16P32, Type::B4x16P64];
    words
        .chain(Type::all().filter(|ty| !ignored.contains(ty)).map(Type::name))
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect()
}

/// A qualifier dropped, replaced or added.
pub fn spelling(opcode: Opcode, words: &[&'static str], random: &mut Random) -> Option<Neighbour> {
    let mut qualifiers: Vec<&str> = opcode.qualifiers().collect();
    let mut places = opcode.places().nth(random.below(opcode.places().count()))?;
    let at = random.below(qualifiers.len() + 1);
    match random.below(3) {
        0 if at < qualifiers.len() => {
            qualifiers.remove(at);
        }
        1 if at < qualifiers.len() => {
            let new = *random.of(words);
            // operands of the replaced type become ones of the new one, or stay
            if let (Ok(old), Ok(new), 0) = (qualifiers[at].parse::<Type>(), new.parse::<Type>(), random.below(2)) {
                places.iter_mut().for_each(|place| retype(place, old, new));
            }
            qualifiers[at] = new;
        }
        _ => {
            let new = *random.of(words);
            qualifiers.insert(at, new);
        }
    }
    // ptxas counts some qualifiers once
    if qualifiers.iter().collect::<BTreeSet<_>>().len() < qualifiers.len() {
        return None;
    }
    let operands = plain_list(&places);
    let spelled = qualifiers.iter().fold(opcode.mnemonic().into(), |all: String, q| all + "." + q);
    match Opcode::parse(&spelled) {
        Ok(opcode) => Some(text(opcode, operands)),
        // ptxas takes qualifiers in any order
        Err(_) if in_some_order(opcode.mnemonic(), &qualifiers) => None,
        Err(_) => {
            let (legal, _) = text(opcode, operands);
            let end = legal.find([' ', ';'])?;
            Some((spelled + &legal[end..], None))
        }
    }
}

fn retype(place: &mut Place, old: Type, new: Type) {
    let retype = |ty: &mut Type| {
        if *ty == old {
            *ty = new;
        } else if Some(*ty) == old.wide() {
            *ty = new.wide().unwrap_or(*ty);
        }
    };
    match place {
        Place::Scalar(data) | Place::Vector(data, _) => retype(&mut data.ty),
        Place::Pair(a, b) => {
            retype(&mut a.ty);
            retype(&mut b.ty);
        }
        _ => {}
    }
}

/// Do the qualifiers, each once, spell an instruction if they are put in order?
fn in_some_order(mnemonic: &str, qualifiers: &[&str]) -> bool {
    fn rest(form: &Form, slot: usize, left: &[&str]) -> bool {
        let Some(here) = form.slots().get(slot) else { return left.is_empty() };
        let fits = |i: &usize| here.values().any(|v| v.name() == left[*i]);
        let without = |i: usize| [&left[..i], &left[i + 1..]].concat();
        here.is_optional() && rest(form, slot + 1, left)
            || (0..left.len()).filter(fits).any(|i| rest(form, slot + 1, &without(i)))
    }
    Form::all().filter(|form| form.mnemonic() == mnemonic).any(|form| rest(form, 0, qualifiers))
}

/// An operand that is another, missing or one too many.
pub fn operands(opcode: Opcode, random: &mut Random) -> Option<Neighbour> {
    let places = opcode.places().nth(random.below(opcode.places().count()))?;
    let mut operands = plain_list(&places);
    let at = random.below(operands.len() + 1);
    match random.below(12) {
        0 if at < operands.len() => {
            operands.remove(at);
        }
        1 => operands.insert(at, reg(*random.of(&REGISTERS[..REGISTERS.len() - 1]), 999).into()),
        _ if at < operands.len() => operands[at] = random.of(&others(&places[at], 100 * at as u32)).clone(),
        _ => return None,
    }
    Some(text(opcode, operands))
}

/// A legal list of operands: each its plain one or another that may stand there.
pub fn legal_operands(places: &[Place], random: &mut Random) -> Vec<Operand> {
    let mut operands = plain_list(places);
    for (i, place) in places.iter().enumerate() {
        let allowed: Vec<_> = others(place, 100 * i as u32).into_iter().filter(|o| place.admits(o)).collect();
        if !allowed.is_empty() && random.below(2) == 0 {
            operands[i] = random.of(&allowed).clone();
        }
    }
    operands
}
