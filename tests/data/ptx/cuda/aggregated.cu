// Counts by key: the threads of a warp that hold equal keys send one atomic.
extern "C" __global__ void aggregated(const unsigned char *x, int n, unsigned *counts, unsigned long long *sums) {
    for (int first = blockIdx.x * blockDim.x; first < n; first += gridDim.x * blockDim.x) {
        int i = first + threadIdx.x;
        unsigned active = __ballot_sync(~0u, i < n);
        if (i < n) {
            unsigned key = x[i] % 16, same = __match_any_sync(active, key), lane = threadIdx.x % 32;
            unsigned sum = __reduce_add_sync(same, (unsigned)i);
            if (lane == __ffs(same) - 1) {
                atomicAdd(&counts[key], __popc(same));
                atomicAdd(&sums[key], (unsigned long long)sum << 20);
            }
        }
        __syncwarp();
    }
}
