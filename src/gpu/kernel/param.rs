//! Parameters: pointers, numbers, sizes, tensor maps.

use super::arith::Fact;
use super::index::Index;
use super::memory::{Pointer, is_name};
use super::{Kernel, KernelError, Node};
use crate::gpu::ptx::{Address, Instruction, Operand, Reg, Space, Statement, Type, Variable};

impl Kernel {
    fn param(&mut self, variable: Variable) {
        let taken = self.params.iter().any(|p| p.name == variable.name);
        if taken || !is_name(&variable.name) {
            self.fail(KernelError::Name { name: variable.name.to_string() });
        }
        self.params.push(variable);
    }

    /// Reads a parameter, once, at the kernel's begin.
    fn read_param(
        &mut self,
        name: &str,
        op: &'static str,
        ty: Type,
        depth: Option<usize>,
        (lo, hi): (i128, i128),
    ) -> Reg {
        let r = self.reg(ty);
        self.learn(r, Fact::range(lo, hi, depth));
        let address = Operand::Address(Address::symbol(name));
        let made = self.opcode(op).map(|op| Instruction::new(op, vec![r.into(), address]));
        match made {
            Some(Ok(i)) => self.scopes[0].nodes.push(Node { statement: Statement::Instruction(i), pure: true }),
            Some(Err(e)) => self.fail(e),
            None => {}
        }
        r
    }

    /// A parameter that points to elements in global memory.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
    /// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
    /// k.pointer("x", Type::F32);
    /// k.pointer("x", Type::F32); // taken
    /// assert!(k.finish().is_err());
    /// ```
    pub fn pointer(&mut self, name: &str, ty: Type) -> Pointer {
        self.param(Variable::new(Space::Param, Type::U64, name));
        let any = (i64::MIN.into(), i64::MAX.into());
        let generic = self.read_param(name, "ld.param.u64", Type::B64, Some(0), any);
        let base = self.pure("cvta.to.global.u64", vec![generic.into()], Type::B64, any);
        Pointer { base, ty }
    }

    /// A parameter that is a tensor map: 128 bytes by value, from a multiple of 64 on. Its generic address, as the tensor copies take it.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::{Address, Target}};
    /// let mut k = Kernel::new("k", Target::SM_90A, [32, 1, 1]);
    /// let map = k.tensor_map("map");
    /// k.emit("prefetch.tensormap", vec![Address::from(map).into()]);
    /// assert!(k.finish()?.to_string().contains(".param .align 64 .b8 map[128]"));
    /// # Ok::<(), girih::gpu::kernel::KernelError>(())
    /// ```
    pub fn tensor_map(&mut self, name: &str) -> Reg {
        let bytes = Variable::new(Space::Param, Type::B8, name);
        self.param(Variable { align: Some(64), dims: vec![Some(128)], ..bytes });
        let any = (i64::MIN.into(), i64::MAX.into());
        let symbol = Operand::Symbol(name.into(), 0);
        let param = self.pure("mov.b64", vec![symbol], Type::B64, any);
        self.pure("cvta.param.u64", vec![param.into()], Type::B64, any)
    }

    /// A parameter that is a value of this type.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
    /// let alpha = Kernel::new("k", Target::SM_80, [32, 1, 1]).scalar("alpha", Type::F32);
    /// assert_eq!(alpha.ty, Type::F32);
    /// ```
    pub fn scalar(&mut self, name: &str, ty: Type) -> Reg {
        self.param(Variable::new(Space::Param, ty.register(), name));
        let op = match ty.register() {
            Type::F32 => "ld.param.f32",
            Type::F64 => "ld.param.f64",
            Type::U32 => "ld.param.u32",
            Type::S32 => "ld.param.s32",
            Type::U64 => "ld.param.u64",
            Type::S64 => "ld.param.s64",
            ty if ty.bits() == 16 => "ld.param.b16",
            ty if ty.bits() == 64 => "ld.param.b64",
            _ => "ld.param.b32",
        };
        let any = (i64::MIN.into(), i64::MAX.into());
        self.read_param(name, op, ty.register(), None, any)
    }

    /// A parameter that counts something: an integer of 32 bits, from 0 to 2^31 - 1.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
    /// let n = k.size("n");
    /// assert_eq!(k.range(&n), (0, (1 << 31) - 1));
    /// ```
    pub fn size(&mut self, name: &str) -> Index {
        self.size_at_most(name, i32::MAX.into())
    }

    /// The same, promised to be at most `most`, which the launch has to see to: offsets that stay below 2^31 need 32 bits only.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
    /// let n = k.size_at_most("n", 1000);
    /// assert_eq!(k.range(&n), (0, 1000));
    /// ```
    pub fn size_at_most(&mut self, name: &str, most: i64) -> Index {
        self.param(Variable::new(Space::Param, Type::U32, name));
        Index::register(self.read_param(name, "ld.param.u32", Type::B32, Some(0), (0, most.into())))
    }
}
