#include <cuda_fp16.h>
// Atomics whose outcome no order changes: in shared memory, then in global memory; a loop of compare-and-swap; sums that are exact.
extern "C" __global__ void atomics_commute(const int *x, int n, unsigned *u, int *s, unsigned long long *l, float *f, double *d, __half2 *h) {
    __shared__ unsigned mine[8];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < 8) mine[t] = t == 1 || t == 2 ? ~0u : 0;
    __syncthreads();
    if (i < n) {
        int v = x[i];
        atomicAdd(&mine[0], v), atomicMin(&mine[1], (unsigned)v), atomicAnd(&mine[2], v | 1), atomicMax(&mine[3], (unsigned)v);
        atomicOr(&mine[4], v & 0x0f0f), atomicXor(&mine[5], v), atomicInc(&mine[6], 6), atomicSub(&mine[7], v);
        atomicMin(&s[0], v), atomicMax(&s[1], v), atomicAdd(&s[2], v), atomicAdd_system(&s[3], 1), atomicDec((unsigned *)&s[4], 9);
        atomicAdd(&l[0], (unsigned long long)v), atomicMin((long long *)&l[1], (long long)v << 20), atomicMax(&l[2], (unsigned long long)v);
        atomicXor(&l[3], (unsigned long long)v << 15), atomicAnd(&l[4], ~(unsigned long long)(v & 255)), atomicOr(&l[5], (unsigned long long)(unsigned)v);
        atomicAdd(f, (float)(v % 64)), atomicAdd(d, v * 0.25), atomicAdd(h, __halves2half2(__int2half_rn(v & 1), __float2half(0.5f)));
        unsigned seen = atomicAdd(&u[8 + blockIdx.x], 0u), old;
        do old = seen, seen = atomicCAS(&u[8 + blockIdx.x], old, min(old + (v & 3), 290u));
        while (seen != old);
    }
    __syncthreads();
    if (t == 0) atomicAdd(&u[0], mine[0]), atomicMin(&u[1], mine[1]), atomicAnd(&u[2], mine[2]), atomicMax(&u[3], mine[3]);
    if (t == 32) atomicOr(&u[4], mine[4]), atomicXor(&u[5], mine[5]), atomicAdd(&u[6], mine[6]), atomicAdd(&u[7], mine[7]);
}
