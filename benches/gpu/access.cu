// Measures memory requests of one warp, for `gpu::facts`: each line of the input is one request and one kernel launch, so that
// a profiler's counters are those of that request.
//
//   nvcc -O3 -arch=sm_90a -o access access.cu
//   ncu --clock-control none --cache-control none --csv --page raw --metrics <counters> ./access requests.txt
//
// A line is `OP N MASK A0 .. A31`: N is the width in bytes (ld, st) or the number of 8 x 8 matrices (ldmatrix, stmatrix), MASK
// the active lanes in hexadecimal, A the byte offset of each lane from an aligned base. OP is one of
//   ld.shared st.shared ld.global st.global ldmatrix ldmatrix.trans stmatrix stmatrix.trans
// Lanes read their offsets from the kernel's parameters (constant memory), which no counter of shared or global memory sees.
// What was loaded decides about a store that never happens (memory is filled with ones), else the load would be dropped.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

constexpr unsigned SHARED_BYTES = 160 << 10;
constexpr unsigned GLOBAL_BYTES = 1 << 20;

struct Request {
    uint32_t offset[32];
    uint32_t mask;
    uint32_t never;
};

enum Op { LdShared, StShared, LdGlobal, StGlobal, LdMatrix, LdMatrixTrans, StMatrix, StMatrixTrans };
const char *const NAMES[] = {"ld.shared", "st.shared",      "ld.global", "st.global",
                             "ldmatrix",  "ldmatrix.trans", "stmatrix",  "stmatrix.trans"};

template <Op OP, int N>
__global__ void access(const __grid_constant__ Request r, char *global) {
    extern __shared__ __align__(1024) char shared[];
    const unsigned lane = threadIdx.x;
    const uint32_t offset = r.offset[lane];
    const uint32_t s = static_cast<uint32_t>(__cvta_generic_to_shared(shared)) + offset;
    char *const g = global + offset;
    uint32_t a = 0, b = 0, c = 0, d = 0;
    if constexpr (OP >= LdMatrix) {
        if constexpr (OP == LdMatrix) {
            if (N == 1) asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(s));
            if (N == 2) asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(a), "=r"(b) : "r"(s));
            if (N == 4)
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                             : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(s));
        } else if constexpr (OP == LdMatrixTrans) {
            if (N == 1) asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(s));
            if (N == 2)
                asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(a), "=r"(b) : "r"(s));
            if (N == 4)
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                             : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(s));
        } else if constexpr (OP == StMatrix) {
            if (N == 1) asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(s), "r"(lane));
            if (N == 2) asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1,%1};" ::"r"(s), "r"(lane));
            if (N == 4) asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%1,%1,%1};" ::"r"(s), "r"(lane));
        } else {
            if (N == 1) asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(s), "r"(lane));
            if (N == 2) asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1,%1};" ::"r"(s), "r"(lane));
            if (N == 4)
                asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1,%1,%1,%1};" ::"r"(s), "r"(lane));
        }
    }
    if (OP < LdMatrix && !(r.mask >> lane & 1)) return;
    if constexpr (OP == LdShared) {
        if (N == 1) asm volatile("ld.shared.u8 %0, [%1];" : "=r"(a) : "r"(s));
        if (N == 2) asm volatile("{.reg .u16 t; ld.shared.u16 t, [%1]; cvt.u32.u16 %0, t;}" : "=r"(a) : "r"(s));
        if (N == 4) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(a) : "r"(s));
        if (N == 8) asm volatile("ld.shared.v2.u32 {%0,%1}, [%2];" : "=r"(a), "=r"(b) : "r"(s));
        if (N == 16)
            asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(s));
    } else if constexpr (OP == StShared) {
        if (N == 1) asm volatile("st.shared.u8 [%0], %1;" ::"r"(s), "r"(lane));
        if (N == 2) asm volatile("{.reg .u16 t; cvt.u16.u32 t, %1; st.shared.u16 [%0], t;}" ::"r"(s), "r"(lane));
        if (N == 4) asm volatile("st.shared.u32 [%0], %1;" ::"r"(s), "r"(lane));
        if (N == 8) asm volatile("st.shared.v2.u32 [%0], {%1,%1};" ::"r"(s), "r"(lane));
        if (N == 16) asm volatile("st.shared.v4.u32 [%0], {%1,%1,%1,%1};" ::"r"(s), "r"(lane));
    } else if constexpr (OP == LdGlobal) {
        if (N == 1) asm volatile("ld.global.u8 %0, [%1];" : "=r"(a) : "l"(g));
        if (N == 2) asm volatile("{.reg .u16 t; ld.global.u16 t, [%1]; cvt.u32.u16 %0, t;}" : "=r"(a) : "l"(g));
        if (N == 4) asm volatile("ld.global.u32 %0, [%1];" : "=r"(a) : "l"(g));
        if (N == 8) asm volatile("ld.global.v2.u32 {%0,%1}, [%2];" : "=r"(a), "=r"(b) : "l"(g));
        if (N == 16)
            asm volatile("ld.global.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(g));
    } else if constexpr (OP == StGlobal) {
        if (N == 1) asm volatile("st.global.u8 [%0], %1;" ::"l"(g), "r"(lane));
        if (N == 2) asm volatile("{.reg .u16 t; cvt.u16.u32 t, %1; st.global.u16 [%0], t;}" ::"l"(g), "r"(lane));
        if (N == 4) asm volatile("st.global.u32 [%0], %1;" ::"l"(g), "r"(lane));
        if (N == 8) asm volatile("st.global.v2.u32 [%0], {%1,%1};" ::"l"(g), "r"(lane));
        if (N == 16) asm volatile("st.global.v4.u32 [%0], {%1,%1,%1,%1};" ::"l"(g), "r"(lane));
    }
    constexpr bool loads = OP == LdShared || OP == LdGlobal || OP == LdMatrix || OP == LdMatrixTrans;
    if (loads && (a ^ b ^ c ^ d) == r.never) *reinterpret_cast<uint32_t *>(global) = a;
}

using Kernel = void (*)(Request, char *);

template <Op OP>
Kernel kernel(int n) {
    if (n == 1) return access<OP, 1>;
    if (n == 2) return access<OP, 2>;
    if (n == 4) return access<OP, 4>;
    if constexpr (OP < LdMatrix) {
        if (n == 8) return access<OP, 8>;
        if (n == 16) return access<OP, 16>;
    }
    return nullptr;
}

Kernel kernel(const char *op, int n) {
    Kernel (*const by_op[])(int) = {kernel<LdShared>, kernel<StShared>,      kernel<LdGlobal>, kernel<StGlobal>,
                                    kernel<LdMatrix>, kernel<LdMatrixTrans>, kernel<StMatrix>, kernel<StMatrixTrans>};
    for (int i = 0; i < 8; i++)
        if (!strcmp(op, NAMES[i])) return by_op[i](n);
    return nullptr;
}

void check(cudaError_t e) {
    if (e != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(e));
        exit(1);
    }
}

int main(int argc, char **argv) {
    FILE *in = argc == 2 ? fopen(argv[1], "r") : nullptr;
    if (!in) return fprintf(stderr, "usage: access requests.txt\n"), 2;
    char *global;
    check(cudaMalloc(&global, GLOBAL_BYTES));
    check(cudaMemset(global, 1, GLOBAL_BYTES));
    char op[32];
    int n;
    Request r;
    r.never = 0x9e3779b9;
    while (fscanf(in, "%31s %d %x", op, &n, &r.mask) == 3) {
        for (auto &a : r.offset)
            if (fscanf(in, "%u", &a) != 1) return 3;
        Kernel k = kernel(op, n);
        if (!k) return 4;
        check(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_BYTES));
        k<<<1, 32, SHARED_BYTES>>>(r, global);
        check(cudaGetLastError());
        check(cudaDeviceSynchronize());
    }
    return 0;
}
