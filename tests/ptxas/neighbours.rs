//! Spellings and operands one step from a legal instruction.

use crate::instances::{REGISTERS, others, plain_list, reg, text};
use crate::random::Random;
use girih::gpu::ptx::{Base, Form, Instruction, Opcode, Operand, Place, Reg, Type};
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
    // ptxas counts some qualifiers once, and passes over some
    if qualifiers.iter().any(|new| !opcode.qualifiers().any(|q| q == *new) && passed_over(opcode, new)) {
        return None;
    }
    // and takes an asynchronous store with or without a barrier where it should not
    let completes = |q: &str| q.starts_with("mbarrier::") && opcode.mnemonic() == "st";
    if qualifiers.iter().any(|q| completes(q)) != opcode.qualifiers().any(completes) {
        return None;
    }
    if qualifiers.iter().collect::<BTreeSet<_>>().len() < qualifiers.len() {
        return None;
    }
    let operands = plain_list(&places);
    let spelled = qualifiers.iter().fold(opcode.mnemonic().into(), |all: String, q| all + "." + q);
    match Opcode::parse(&spelled) {
        Ok(opcode) => {
            let told = |places: Vec<Place>| !places.iter().zip(&operands).any(|(p, o)| overlooked(opcode, p, o));
            opcode.places().all(told).then(|| text(opcode, operands))
        }
        // ptxas takes qualifiers in any order
        Err(_) if in_some_order(opcode.mnemonic(), &qualifiers) => None,
        Err(_) => {
            let (legal, _) = text(opcode, operands);
            let end = legal.find([' ', ';'])?;
            Some((spelled + &legal[end..], None))
        }
    }
}

/// Does `ptxas` read the qualifier without a meaning?
fn passed_over(opcode: Opcode, new: &str) -> bool {
    let below = new.parse::<Type>().is_ok_and(|ty| ty.bits() < 32);
    let space = matches!(new, "global" | "shared::cta" | "shared::cluster");
    let small = opcode.type_of("type").is_some_and(|ty| ty.bits() < 32);
    new.starts_with("acc::") && opcode.has("st")
        || space && opcode.mnemonic() == "fence"
        || new.parse::<Type>().is_ok() && opcode.mnemonic() == "movmatrix"
        // vectors of eight small elements are read as one element, or crash it
        || matches!(opcode.mnemonic(), "ld" | "st") && (small && new == "v8" || below && opcode.get("vec") == Some("v8"))
        || opcode.has("cp_fenceproxy")
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
        // a value such as `xorsign.abs` is of two words
        let without = |value: &str| {
            let mut left = left.to_vec();
            let mut take = |word: &str| left.iter().position(|l| *l == word).map(|i| left.remove(i)).is_some();
            value.split('.').all(&mut take).then_some(left)
        };
        here.is_optional() && rest(form, slot + 1, left)
            || here.values().filter_map(|v| without(v.name())).any(|left| rest(form, slot + 1, &left))
    }
    let words: Vec<&str> = qualifiers.iter().flat_map(|q| q.split('.')).collect();
    Form::all().filter(|form| form.mnemonic() == mnemonic).any(|form| rest(form, 0, &words))
}

/// An operand that is another, missing or one too many.
pub fn operands(opcode: Opcode, random: &mut Random) -> Option<Neighbour> {
    let places = opcode.places().nth(random.below(opcode.places().count()))?;
    let mut operands = plain_list(&places);
    let at = random.below(operands.len() + 1);
    match random.below(12) {
        // ptxas does without the barrier
        0 if opcode.has("mbarrier::complete_tx::bytes") => return None,
        0 if at < operands.len() => {
            operands.remove(at);
        }
        // ptxas reads one more of some atomics
        1 if opcode.mnemonic() == "atom" => return None,
        1 => operands.insert(at, reg(*random.of(&REGISTERS[..REGISTERS.len() - 1]), 999).into()),
        _ if at < operands.len() => {
            let others = others(&places[at], 100 * at as u32);
            let told: Vec<_> = others.iter().filter(|o| !overlooked(opcode, &places[at], o)).collect();
            operands[at] = (*random.of(&told)).clone();
        }
        _ => return None,
    }
    Some(text(opcode, operands))
}

/// A legal list of operands: each its plain one or another that may stand there.
pub fn legal_operands(opcode: Opcode, places: &[Place], random: &mut Random) -> Vec<Operand> {
    let mut operands = plain_list(places);
    for (i, place) in places.iter().enumerate() {
        let allowed: Vec<_> = others(place, 100 * i as u32)
            .into_iter()
            .filter(|o| place.admits(o) && !overlooked(opcode, place, o))
            .collect();
        if !allowed.is_empty() && random.below(2) == 0 {
            operands[i] = random.of(&allowed).clone();
        }
    }
    operands
}

/// Is it one of the operands of which `ptxas` 13 does not tell whether they are right?
fn overlooked(opcode: Opcode, place: &Place, operand: &Operand) -> bool {
    let of = elements(operand);
    let wrong = !place.admits(operand);
    let pair = opcode.qualifiers().any(|q| q == "bf16x2");
    let first = matches!(opcode.mnemonic(), "mma" | "wgmma" | "ldmatrix" | "stmatrix" | "movmatrix" | "multimem");
    match (place, operand) {
        // the registers of addresses of asynchronous copies and matrices
        (Place::Address(_) | Place::Tensor(_), _) => {
            let unread = matches!(
                opcode.mnemonic(),
                "cp" | "createpolicy" | "tensormap" | "prefetch" | "fence" | "ldmatrix" | "stmatrix"
            );
            // what it makes of this bulk store cannot be assembled if the address is a variable
            let bulk = opcode.has("bulk") && opcode.get("ss").is_some() && opcode.mnemonic() == "st";
            let symbol = matches!(operand, Operand::Address(a) if matches!(a.base, Base::Symbol(_)));
            wrong && (unread || opcode.has("async") || opcode.has("bulk")) || bulk && symbol
        }
        // two bf16 also as a vector
        (Place::Scalar(_), Operand::Vector(_)) if pair => true,
        // halves of special registers, as before PTX 2; any integer modulo 2^8 as a table of lop3
        (Place::Scalar(data), Operand::Special(_)) => data.ty.bits() == 16,
        (Place::Immediate(..), Operand::Int(_)) => wrong && opcode.mnemonic() == "lop3",
        // one register for a vector, or a vector for one
        (Place::Vector(..), Operand::Reg(_)) | (Place::Scalar(_), Operand::Vector(_))
            if first || opcode.has("async") || opcode.mnemonic() == "mbarrier" =>
        {
            true
        }
        // of fragments and multimem only the first register, as one of 32 bits, on some targets no single where an integer is
        // wanted; and no double for a single
        (Place::Scalar(data) | Place::Vector(data, _), _) if first => {
            let float = |r: &Reg| data.ty == Type::U32 && r.ty.is_float();
            let registers = of.iter().all(|o| matches!(o, Operand::Reg(r) if r.ty != Type::Pred && !float(r)));
            let length =
                matches!((place, operand), (Place::Vector(_, n), Operand::Vector(of)) if of.len() != *n as usize);
            let double = data.ty != Type::F64 && of.iter().any(|o| matches!(o, Operand::F64(_)));
            wrong && (!registers || length) || double || integers_for_floats(data.ty, operand)
        }
        // elements unlike the first; singles and doubles of a stochastic rounding; a crash on eight registers wider than the element
        (Place::Vector(data, n), Operand::Vector(of)) => {
            let unlike = of.iter().any(|o| core::mem::discriminant(o) != core::mem::discriminant(&of[0]));
            let wide = of.iter().any(|o| matches!(o, Operand::Reg(r) if r.ty.bits() > data.ty.bits()));
            let floats = opcode.has("rs") && of.iter().all(|o| matches!(o, Operand::F32(_) | Operand::F64(_)));
            wrong && (unlike || floats) || *n == 8 && wide || integers_for_floats(data.ty, operand)
        }
        // a predicate for two bf16; what fails later: registers wider than a float that is flushed to zero, a double for tf32
        (Place::Scalar(_), Operand::Reg(r)) if r.ty == Type::Pred => pair,
        (Place::Scalar(_), Operand::Not(_) | Operand::F32(_)) => pair,
        (Place::Scalar(data), Operand::Reg(r)) => opcode.has("ftz") && r.ty.bits() > data.ty.bits(),
        (Place::Scalar(_), Operand::F64(_)) => opcode.has("tf32"),
        _ => false,
    }
}

/// A vector of integers stands for one of floats.
fn integers_for_floats(ty: Type, operand: &Operand) -> bool {
    let integer = |o: &Operand| matches!(o, Operand::Int(_)) || matches!(o, Operand::Reg(r) if r.ty.is_integer());
    ty.is_float() && matches!(operand, Operand::Vector(of) if of.iter().all(integer))
}

fn elements(operand: &Operand) -> &[Operand] {
    match operand {
        Operand::Vector(of) => of,
        one => core::slice::from_ref(one),
    }
}
