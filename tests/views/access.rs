//! Which orders, scopes and elements accesses may have: the tables of the seed, cell by cell.

use girih::tile::ElementType::{self, *};
use girih::view::{Access, AccessKind, AtomicOp, Order, Scope, ViewError};

const ORDERS: [Order; 3] = [Order::Relaxed, Order::Acquire, Order::Release];
const SCOPES: [Scope; 3] = [Scope::System, Scope::Device, Scope::Block];
const OPS: [AtomicOp; 7] =
    [AtomicOp::And, AtomicOp::Or, AtomicOp::Xor, AtomicOp::Max, AtomicOp::Min, AtomicOp::Add, AtomicOp::Sub];

#[test]
fn loads_are_weak_relaxed_or_acquire() {
    assert!(Access::LOAD.check(F32).is_ok());
    for (order, scope) in pairs() {
        let allowed = matches!(order, Order::Relaxed | Order::Acquire);
        assert_eq!(Access::LOAD.strong(order, scope).check(F32).is_ok(), allowed, "{order:?}");
    }
}

#[test]
fn stores_are_weak_relaxed_or_release() {
    assert!(Access::STORE.check(F32).is_ok());
    for (order, scope) in pairs() {
        let allowed = matches!(order, Order::Relaxed | Order::Release);
        assert_eq!(Access::STORE.strong(order, scope).check(F32).is_ok(), allowed, "{order:?}");
    }
}

#[test]
fn atomic_operations_are_relaxed_on_a_device_or_in_a_block() {
    for op in OPS {
        let access = Access::new(AccessKind::Atomic(op));
        assert_eq!(access.check(I32), Err(ViewError::Order { kind: access.kind, strong: None }));
        for (order, scope) in pairs() {
            let allowed = order == Order::Relaxed && scope != Scope::System;
            assert_eq!(access.strong(order, scope).check(I32).is_ok(), allowed, "{op:?} {order:?} {scope:?}");
        }
    }
}

#[test]
fn atomic_operations_exist_for_the_elements_of_the_seed_only() {
    let bits = [I32, U32, I64, U64];
    let sums = [I32, U32, I64, U64, F64, F32, F16, Bf16];
    for op in OPS {
        let allowed: &[ElementType] = if matches!(op, AtomicOp::Add | AtomicOp::Sub) { &sums } else { &bits };
        for element in ElementType::ALL {
            for access in
                [Access::new(AccessKind::Atomic(op)), Access::new(AccessKind::Atomic(op)).masked(Default::default())]
            {
                let result = access.strong(Order::Relaxed, Scope::Block).check(element);
                let expected = if allowed.contains(&element) { Ok(()) } else { Err(ViewError::Atomic { op, element }) };
                assert_eq!(result, expected, "{op:?} on {element}");
            }
        }
    }
}

fn pairs() -> impl Iterator<Item = (Order, Scope)> {
    ORDERS.into_iter().flat_map(|order| SCOPES.map(|scope| (order, scope)))
}
