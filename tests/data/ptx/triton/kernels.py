"""Kernels in Triton, compiled without a GPU: each to `<name>.ptx` beside this file. Run: python kernels.py [names]"""
import re
import sys
from pathlib import Path

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

KERNELS = []


def kernel(capability, constants, stages=3, by16="", **types):
    """Compile the function for this capability, with these types of its arguments, these constants and so many stages;
    the arguments named in `by16` are multiples of 16."""
    def keep(function):
        attributes = {(list(types).index(name),): [["tt.divisibility", 16]] for name in by16.split()}
        KERNELS.append((triton.jit(function), capability, types, constants, attributes, stages))
        return KERNELS[-1][0]
    return keep


@kernel(80, dict(BLOCK=1024), x="*fp32", y="*fp32", out="*fp32", n="i32")
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) + tl.load(y + at, mask=at < n), mask=at < n)


@kernel(80, dict(BLOCK=2048), x="*fp16", out="*fp32", n="i32")
def total(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out, tl.sum(tl.load(x + at, mask=at < n, other=0).to(tl.float32)))


@kernel(90, dict(BLOCK=1024), x="*fp32", out="*fp32", cols="i32")
def softmax(x, out, cols, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * cols + at, mask=at < cols, other=-float("inf"))
    v = tl.exp(v - tl.max(v))
    tl.store(out + row * cols + at, v / tl.sum(v), mask=at < cols)


@kernel(90, dict(BLOCK=1024), x="*bf16", gain="*fp32", out="*bf16", cols="i32", eps="fp32")
def layer_norm(x, gain, out, cols, eps, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * cols + at, mask=at < cols, other=0).to(tl.float32)
    mean = tl.sum(v) / cols
    d = tl.where(at < cols, v - mean, 0)
    d *= tl.rsqrt(tl.sum(d * d) / cols + eps)
    tl.store(out + row * cols + at, (d * tl.load(gain + at, mask=at < cols)).to(tl.bfloat16), mask=at < cols)


def product(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row = tl.program_id(0) * M + tl.arange(0, M)[:, None]
    col = tl.program_id(1) * N + tl.arange(0, N)[None, :]
    i, j = tl.arange(0, K)[None, :], tl.arange(0, K)[:, None]
    d = tl.zeros((M, N), tl.float32)
    for at in range(0, k, K):
        d += tl.dot(tl.load(a + row * k + at + i, mask=row < m, other=0), tl.load(b + (at + j) * n + col, mask=col < n, other=0))
    tl.store(c + row * n + col, d.to(c.dtype.element_ty), mask=(row < m) & (col < n))


@kernel(80, dict(M=64, N=64, K=32), a="*fp16", b="*fp16", c="*fp16", m="i32", n="i32", k="i32")
def matmul_f16(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    product(a, b, c, m, n, k, M, N, K)


@kernel(80, dict(M=64, N=64, K=16), a="*fp32", b="*fp32", c="*fp32", m="i32", n="i32", k="i32")
def matmul_tf32(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    product(a, b, c, m, n, k, M, N, K)


@kernel(90, dict(M=64, N=64, K=64), a="*bf16", b="*bf16", c="*fp32", m="i32", n="i32", k="i32")
def matmul_wgmma(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    product(a, b, c, m, n, k, M, N, K)


product = triton.jit(product)


@kernel(80, dict(BLOCK=512), x="*i32", out="*i32", n="i32")
def scan(x, out, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, tl.cumsum(tl.load(x + at, mask=at < n, other=0), 0), mask=at < n)


@kernel(80, dict(BLOCK=1024, BINS=256), x="*u8", out="*i32", n="i32")
def histogram(x, out, n, BLOCK: tl.constexpr, BINS: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out + tl.arange(0, BINS), tl.histogram(tl.load(x + at, mask=at < n, other=0).to(tl.int32), BINS))


@kernel(90, dict(SIZE=64), x="*fp16", out="*fp16", rows="i32", cols="i32")
def transpose(x, out, rows, cols, SIZE: tl.constexpr):
    r = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    c = tl.program_id(1) * SIZE + tl.arange(0, SIZE)
    v = tl.load(x + r[:, None] * cols + c[None, :], mask=(r[:, None] < rows) & (c[None, :] < cols))
    tl.store(out + c[:, None] * rows + r[None, :], tl.trans(v), mask=(c[:, None] < cols) & (r[None, :] < rows))


@kernel(90, dict(BLOCK=256), seed="i32", p="fp32", x="*fp32", out="*fp32", n="i32")
def dropout(seed, p, x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = tl.rand(seed, at) > p
    tl.store(out + at, tl.where(keep, tl.load(x + at, mask=at < n) / (1 - p), 0.0), mask=at < n)


@kernel(90, dict(BLOCK=1024), x="*fp32", q="*fp8e4nv", scale="*fp32", n="i32")
def quantize(x, q, scale, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n, other=0)
    s = tl.max(tl.abs(v)) / 448
    tl.store(q + at, (v / s).to(tl.float8e4nv), mask=at < n)
    tl.store(scale + tl.program_id(0), s)


@kernel(80, dict(BLOCK=128), x="*i64", out="*i64", d="i64", n="i32")
def divide(x, out, d, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n, other=1)
    while tl.max(v) > 1000:
        v = v // d
    tl.store(out + at, v % 7, mask=at < n)


@kernel(90, dict(BLOCK=256), x="*fp32", out="*fp32")
def sort(x, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, tl.sort(tl.load(x + at)))


@kernel(80, dict(BLOCK=128), x="*fp16", out="*fp16", cols="i32", scale="fp32")
def softmax_online(x, out, cols, scale, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    most, all = tl.full((BLOCK,), -float("inf"), tl.float32), tl.zeros((BLOCK,), tl.float32)
    for first in range(0, cols, BLOCK):
        at = first + tl.arange(0, BLOCK)
        v = tl.load(x + row * cols + at, mask=at < cols, other=-float("inf")).to(tl.float32) * scale
        larger = tl.maximum(most, v)
        all = all * tl.where(most == larger, 1.0, tl.exp(most - larger)) + tl.where(v == -float("inf"), 0.0, tl.exp(v - larger))
        most = larger
    top = tl.max(most)
    below = tl.sum(tl.where(all == 0, 0.0, all * tl.exp(most - top)))
    for first in range(0, cols, BLOCK):
        at = first + tl.arange(0, BLOCK)
        v = tl.load(x + row * cols + at, mask=at < cols, other=0).to(tl.float32) * scale
        tl.store(out + row * cols + at, (tl.exp(v - top) / below).to(tl.float16), mask=at < cols)


@kernel(80, dict(BLOCK=512), x="*bf16", gain="*fp32", out="*bf16", cols="i32", eps="fp32")
def layer_norm_sm80(x, gain, out, cols, eps, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * cols + at, mask=at < cols, other=0).to(tl.float32)
    d = tl.where(at < cols, v - tl.sum(v) / cols, 0)
    d *= tl.rsqrt(tl.sum(d * d) / cols + eps)
    tl.store(out + row * cols + at, (d * tl.load(gain + at, mask=at < cols)).to(tl.bfloat16), mask=at < cols)


@kernel(80, dict(M=32, N=64, K=32), by16="a b c n k", a="*bf16", b="*bf16", c="*fp32", m="i32", n="i32", k="i32")
def matmul_stages(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    product(a, b, c, m, n, k, M, N, K)


@kernel(80, dict(SIZE=128), x="*i32", out="*i32", order="*i32")
def sort_sm80(x, out, order, SIZE: tl.constexpr):
    at = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    v = tl.load(x + at)
    tl.store(out + at, tl.sort(v, descending=True))
    tl.store(order + tl.program_id(0), tl.argmax(v, 0))


@kernel(80, dict(ROWS=32, COLS=64), x="*u8", out="*u8", rows="i32", cols="i32")
def transpose_sm80(x, out, rows, cols, ROWS: tl.constexpr, COLS: tl.constexpr):
    r = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    c = tl.program_id(1) * COLS + tl.arange(0, COLS)
    v = tl.load(x + r[:, None] * cols + c[None, :], mask=(r[:, None] < rows) & (c[None, :] < cols), other=0)
    tl.store(out + c[:, None] * rows + r[None, :], tl.trans(v), mask=(c[:, None] < cols) & (r[None, :] < rows))


@kernel(80, dict(ROWS=16, STEP=32, DEPTH=32), stages=2, by16="q k v out", q="*fp16", k="*fp16", v="*fp16", out="*fp16", n="i32")
def attention(q, k, v, out, n, ROWS: tl.constexpr, STEP: tl.constexpr, DEPTH: tl.constexpr):
    row, col = tl.program_id(0) * ROWS + tl.arange(0, ROWS), tl.arange(0, DEPTH)
    mine = tl.load(q + row[:, None] * DEPTH + col[None, :], mask=row[:, None] < n, other=0)
    most, all = tl.full((ROWS,), -1e30, tl.float32), tl.zeros((ROWS,), tl.float32)
    sum = tl.zeros((ROWS, DEPTH), tl.float32)
    for first in range(0, n, STEP):
        at = first + tl.arange(0, STEP)
        keys = tl.load(k + at[None, :] * DEPTH + col[:, None], mask=at[None, :] < n, other=0)
        s = tl.where((at[None, :] < n) & (at[None, :] <= row[:, None]), tl.dot(mine, keys), -1e30)
        larger = tl.maximum(most, tl.max(s, 1))
        p = tl.exp2(s - larger[:, None])
        shrink = tl.exp2(most - larger)
        values = tl.load(v + at[:, None] * DEPTH + col[None, :], mask=at[:, None] < n, other=0)
        sum = tl.dot(p.to(tl.float16), values, sum * shrink[:, None])
        all, most = all * shrink + tl.sum(p, 1), larger
    tl.store(out + row[:, None] * DEPTH + col[None, :], (sum / all[:, None]).to(tl.float16), mask=row[:, None] < n)


if __name__ == "__main__":
    for function, capability, types, constants, attributes, stages in KERNELS:
        if sys.argv[1:] and function.fn.__name__ not in sys.argv:
            continue
        names = {name: "constexpr" for name in constants}
        source = ASTSource(function, {**types, **names}, constants, attributes)
        compiled = triton.compile(source, target=GPUTarget("cuda", capability, 32), options=dict(num_stages=stages, ptx_version=88))
        # paths of this machine
        ptx = re.sub(r'(\.file\s+\d+ )"[^"]*/([^/"]+)"', r'\1"\2"', compiled.asm["ptx"])
        name = function.fn.__name__
        Path(__file__).with_name(name + ".ptx").write_text(ptx)
        print(name, len(ptx), "shared memory:", compiled.metadata.shared)
