// Counts of bytes in dynamic shared memory, four to a load.
extern "C" __global__ void histogram(const uchar4 *x, unsigned *counts, int n) {
    extern __shared__ unsigned mine[];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) mine[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uchar4 v = x[i];
        atomicAdd(&mine[v.x], 1), atomicAdd(&mine[v.y], 1), atomicAdd(&mine[v.z], 1), atomicAdd(&mine[v.w], 1);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        if (mine[i]) atomicAdd(&counts[i], mine[i]);
}
