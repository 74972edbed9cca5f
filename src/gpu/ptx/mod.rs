//! PTX as data: the table of instructions, instructions, modules, their text.
//!
//! [`Opcode::parse`] is the way into the table: a spelling, or an error that names the nearest legal one. [`Instruction::new`]
//! joins an opcode and operands and checks them; a [`Module`] holds functions and variables, prints itself, and is read back.
//! What `ptxas` accepts decides what is in the table; the rows are in `forms/*.txt`, and [`form`] says how they are read.

mod check;
mod declare;
pub mod form;
mod instruction;
mod module;
mod names;
mod nearest;
mod needs;
mod opcode;
mod operand;
mod parse;
mod place;
mod print;
mod special;
#[cfg(feature = "proptest")]
pub mod strategy;
mod table;
#[cfg(test)]
mod tests;
mod types;

pub use check::{CheckError, CheckFault};
pub use form::{Access, Form, Slot, Value};
pub use instruction::{Guard, Instruction, InstructionError, Mismatch, Otherwise, PtxError};
pub use module::{Directive, Function, Init, Item, Linkage, Module, Pointee, Register, Space, Statement, Variable};
pub(crate) use names::is_identifier;
pub use opcode::{Opcode, OpcodeError};
pub use operand::{Address, Base, Call, Operand, Reg};
pub use parse::{Lines, ParseError, ParseFault};
pub use place::{Data, Place};
pub use special::Special;
pub use types::{Requirement, Target, Type, Version};
