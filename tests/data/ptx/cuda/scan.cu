// Inclusive sums of 1024 integers in double-buffered shared memory.
__global__ void scan(const int *x, int *y) {
    __shared__ int buffer[2][1024];
    int t = threadIdx.x, from = 0;
    buffer[0][t] = x[blockIdx.x * 1024 + t];
    for (int d = 1; d < 1024; d *= 2, from ^= 1) {
        __syncthreads();
        buffer[from ^ 1][t] = buffer[from][t] + (t >= d ? buffer[from][t - d] : 0);
    }
    __syncthreads();
    y[blockIdx.x * 1024 + t] = buffer[from][t];
}
