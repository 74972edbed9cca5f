// Tiles of 16 x 16 of f32, unrolled.
extern "C" __global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
    __shared__ float sa[16][16], sb[16][16];
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    float s = 0;
    for (int at = 0; at < k; at += 16) {
        sa[threadIdx.y][threadIdx.x] = row < m && at + threadIdx.x < k ? a[row * k + at + threadIdx.x] : 0;
        sb[threadIdx.y][threadIdx.x] = col < n && at + threadIdx.y < k ? b[(at + threadIdx.y) * n + col] : 0;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; i++) s = fmaf(sa[threadIdx.y][i], sb[i][threadIdx.x], s);
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = s;
}
