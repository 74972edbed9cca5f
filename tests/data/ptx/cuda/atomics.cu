#include <cuda_fp16.h>
#include <cuda/atomic>
// Atomic operations of every kind.
extern "C" __global__ void atomics(int *i, unsigned *u, unsigned long long *l, float *f, double *d, __half2 *h, int *out) {
    int t = threadIdx.x;
    out[0] = atomicAdd(i, t) + atomicSub(i, 3) + atomicExch(i + 1, t) + atomicMin(i + 2, t) + atomicMax(i + 3, t);
    out[1] = atomicInc(u, 17) + atomicDec(u + 1, 17) + atomicCAS(u + 2, 5u, 7u);
    atomicAnd(u + 3, t), atomicOr(u + 4, t), atomicXor(u + 5, t);
    atomicAdd(l, 1ull), atomicMax(l + 1, (unsigned long long)t), atomicCAS(l + 2, 1ull, 2ull);
    atomicAdd(f, 1.5f), atomicAdd(d, 1.5), atomicAdd(h, __floats2half2_rn(1, 2));
    atomicAdd_system(i + 4, 1), atomicAdd_block(i + 5, 1);
    cuda::atomic_ref<int, cuda::thread_scope_device> flag(i[6]);
    flag.store(t, cuda::memory_order_release);
    while (flag.load(cuda::memory_order_acquire) != 7) __nanosleep(40);
    __threadfence(), __threadfence_block(), __threadfence_system();
}
