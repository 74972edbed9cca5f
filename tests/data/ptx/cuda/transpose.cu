// Tiles of 32 x 32 by shared memory, padded against bank conflicts.
template <typename T> __device__ void transpose(const T *x, T *y, int rows, int cols) {
    __shared__ T tile[32][33];
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int i = 0; i < 32; i += 8)
        if (c < cols && r + i < rows) tile[threadIdx.y + i][threadIdx.x] = x[(long long)(r + i) * cols + c];
    __syncthreads();
    c = blockIdx.y * 32 + threadIdx.x, r = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int i = 0; i < 32; i += 8)
        if (c < rows && r + i < cols) y[(long long)(r + i) * rows + c] = tile[threadIdx.x][threadIdx.y + i];
}
extern "C" __global__ void transpose_f32(const float *x, float *y, int rows, int cols) { transpose(x, y, rows, cols); }
extern "C" __global__ void transpose_u8(const unsigned char *x, unsigned char *y, int rows, int cols) { transpose(x, y, rows, cols); }
extern "C" __global__ void transpose_f64(const double *x, double *y, int rows, int cols) { transpose(x, y, rows, cols); }
