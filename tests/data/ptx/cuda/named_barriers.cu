// Pairs of warps with named barriers of their own, of 64 threads: one warp produces and only arrives, the other waits and consumes;
// a vote over the block's barrier at the end.
extern "C" __global__ void named_barriers(const int *x, int *y, int rounds) {
    __shared__ int slots[2][32];
    int t = threadIdx.x % 32, pair = threadIdx.x / 64, producer = threadIdx.x / 32 % 2 == 0, s = 0;
    for (int r = 0; r < rounds; r++) {
        if (producer) {
            slots[pair][t] = x[(pair * rounds + r) * 32 + t] + s;
            asm volatile("bar.arrive %0, 64;" ::"r"(1 + pair) : "memory");
            asm volatile("bar.sync %0, 64;" ::"r"(3 + pair) : "memory");
            s = r;
        } else {
            asm volatile("bar.sync %0, 64;" ::"r"(1 + pair) : "memory");
            s = s * 5 + slots[pair][31 - t];
            asm volatile("bar.arrive %0, 64;" ::"r"(3 + pair) : "memory");
        }
    }
    int odd = __syncthreads_count(s & 1), all = __syncthreads_and(s > 0), any = __syncthreads_or(s == 77);
    y[threadIdx.x] = s + odd * 1000000 + all * 2 + any * 4;
}
