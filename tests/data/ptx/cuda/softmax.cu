#include <math_constants.h>
// A warp to each row.
extern "C" __global__ void softmax(const float *__restrict__ x, float *__restrict__ y, int rows, int cols) {
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    x += (size_t)row * cols, y += (size_t)row * cols;
    float m = -CUDART_INF_F, s = 0;
    for (int i = threadIdx.x; i < cols; i += 32) m = fmaxf(m, x[i]);
    for (int d = 16; d; d >>= 1) m = fmaxf(m, __shfl_xor_sync(~0u, m, d));
    for (int i = threadIdx.x; i < cols; i += 32) s += __expf(x[i] - m);
    for (int d = 16; d; d >>= 1) s += __shfl_xor_sync(~0u, s, d);
    for (int i = threadIdx.x; i < cols; i += 32) y[i] = __fdividef(__expf(x[i] - m), s);
}
