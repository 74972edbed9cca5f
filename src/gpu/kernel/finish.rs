//! From the statements to a module.

use super::memory::{SMEM, is_name};
use super::{Kernel, KernelError, Node};
use crate::gpu::ptx::{
    Access, Directive, Function, Instruction, Item, Linkage, Module, Reg, Register, Space, Statement, Type, Variable,
};

impl Kernel {
    /// The module with this one kernel, of the lowest version of PTX that has its instructions. Index arithmetic that nobody reads is
    /// left out, registers are numbered anew.
    /// ```
    /// use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
    /// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
    /// let tid = k.tid();
    /// let unused = k.integer(&(tid * 12));
    /// assert!(!k.finish()?.to_string().contains("%tid"));
    /// # Ok::<(), girih::gpu::kernel::KernelError>(())
    /// ```
    ///
    /// # Errors
    /// The first thing that went wrong while building, an instruction that the target does not have, a block out of bounds.
    pub fn finish(mut self) -> Result<Module, KernelError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        if !is_name(&self.name) {
            return Err(KernelError::Name { name: self.name.into() });
        }
        let threads = self.block.iter().try_fold(1u32, |n, e| n.checked_mul(*e)).unwrap_or(0);
        if !(1..=1024).contains(&threads) {
            return Err(KernelError::Block { block: self.block });
        }
        let nodes = self.scopes.swap_remove(0).nodes;
        let mut statements = live(nodes, self.registers.len());
        if !matches!(statements.last(), Some(Statement::Instruction(i)) if i.opcode().mnemonic() == "ret" && i.guard.is_none())
        {
            statements.push(Statement::Instruction(Instruction::spelled("ret", vec![]).map_err(|e| match e {
                crate::gpu::ptx::PtxError::Opcode(e) => KernelError::Opcode(e),
                crate::gpu::ptx::PtxError::Operands(e) => KernelError::Operands(e),
            })?));
        }

        let mut module = Module::new(self.target);
        for statement in &statements {
            if let Statement::Instruction(i) = statement {
                match i.version_for(self.target) {
                    Some(version) => module.version = module.version.max(version),
                    None => {
                        let instruction = i.to_string().trim_end_matches(';').into();
                        return Err(KernelError::Target {
                            instruction,
                            needs: i.lacking(self.target).unwrap_or_default(),
                        });
                    }
                }
            }
        }
        let (registers, declarations) = renumber(&mut statements, self.registers.len());
        let mut body: Vec<Statement> = declarations;
        // without a byte there would be no name
        let bytes = self.shared.last().map_or(0, |b| (b.offset + b.bytes).max(1));
        let align = self.shared.iter().map(|b| b.align).max().unwrap_or(1) as u32;
        let smem = Variable { align: Some(align), ..Variable::new(Space::Shared, Type::B8, SMEM) };
        match bytes {
            0 => {}
            1..=0xC000 => body.push(Statement::Variable(Variable { dims: vec![Some(bytes)], ..smem })),
            _ => {
                let extern_ = Variable { linkage: Linkage::Extern, dims: vec![None], ..smem };
                module.items.push(Item::Variable(extern_));
            }
        }
        body.extend(statements);
        let mut directives = vec![Directive::Reqntid(self.block)];
        directives.extend(self.cluster.map(Directive::Reqnctapercluster));
        directives.extend(self.min_blocks.map(Directive::Minnctapersm));
        directives.extend(self.max_registers.map(Directive::Maxnreg));
        module.items.push(Item::Function(Box::new(Function {
            params: self.params,
            directives,
            registers,
            body: Some(body),
            ..Function::entry(&self.name)
        })));
        Ok(module)
    }
}

/// The statements without pure ones that nobody reads.
fn live(nodes: Vec<Node>, registers: usize) -> Vec<Statement> {
    let uses: Vec<Vec<(Reg, Access)>> = nodes
        .iter()
        .map(|n| match &n.statement {
            Statement::Instruction(i) => i.registers(),
            _ => Vec::new(),
        })
        .collect();
    let mut read = vec![0u32; registers];
    for (r, access) in uses.iter().flatten() {
        read[r.id as usize] += (*access != Access::Write) as u32;
    }
    // a pure result is read only after it is made, so one pass from the end finds all
    let mut keep = vec![true; nodes.len()];
    for (i, node) in nodes.iter().enumerate().rev() {
        let needed = uses[i].iter().any(|(r, access)| *access != Access::Read && read[r.id as usize] > 0);
        if node.pure && !needed {
            keep[i] = false;
            for (r, _) in uses[i].iter().filter(|(_, access)| *access != Access::Write) {
                read[r.id as usize] -= 1;
            }
        }
    }
    nodes.into_iter().zip(keep).filter(|(_, keep)| *keep).map(|(node, _)| node.statement).collect()
}

/// Numbers the registers that are used by type, in order of their first use: the function's list and the declarations.
fn renumber(statements: &mut [Statement], registers: usize) -> (Vec<Register>, Vec<Statement>) {
    // of each type, how many; of each register, its type's place in that list and its number there
    let mut counts: Vec<(Type, u32)> = Vec::new();
    let mut place: Vec<Option<(usize, u32)>> = vec![None; registers];
    let mut see = |r: Reg| {
        place[r.id as usize].get_or_insert_with(|| {
            let kind = counts.iter().position(|(ty, _)| *ty == r.ty).unwrap_or_else(|| {
                counts.push((r.ty, 0));
                counts.len() - 1
            });
            counts[kind].1 += 1;
            (kind, counts[kind].1 - 1)
        });
    };
    for statement in statements.iter() {
        if let Statement::Instruction(i) = statement {
            i.registers().into_iter().for_each(|(r, _)| see(r));
        }
    }
    let firsts: Vec<u32> = counts.iter().scan(0, |at, (_, n)| Some(core::mem::replace(at, *at + n))).collect();
    for statement in statements.iter_mut() {
        if let Statement::Instruction(i) = statement {
            i.rename(&mut |r: Reg| match place[r.id as usize] {
                Some((kind, n)) => Reg { id: firsts[kind] + n, ..r },
                None => r,
            });
        }
    }
    let mut registers = Vec::new();
    let mut declarations = Vec::new();
    for ((ty, count), first) in counts.into_iter().zip(firsts) {
        let name = prefix(ty);
        registers.extend((0..count).map(|n| Register { name: format!("{name}{n}").into(), ty }));
        declarations.push(Statement::Registers { ty, name: name.into(), count: Some(count), first });
    }
    (registers, declarations)
}

/// As nvcc names them; one prefix a type, so that no two registers share a name.
fn prefix(ty: Type) -> &'static str {
    match ty {
        Type::Pred => "%p",
        Type::B16 => "%rs",
        Type::B32 => "%r",
        Type::B64 => "%rd",
        Type::F32 => "%f",
        Type::F64 => "%fd",
        Type::F16 => "%h",
        Type::F16x2 => "%hh",
        Type::U32 => "%u",
        Type::S32 => "%s",
        Type::U64 => "%ud",
        Type::S64 => "%sd",
        Type::U16 => "%us",
        Type::S16 => "%ss",
        Type::B128 => "%rq",
        Type::U8 => "%ub",
        Type::S8 => "%sb",
        _ => "%b",
    }
}
