#include <cuda_bf16.h>
// Mean and variance by Welford's recurrence; vectors of two bf16.
extern "C" __global__ __launch_bounds__(256, 2) void layer_norm(const __nv_bfloat162 *x, const float *gain, __nv_bfloat162 *y, int half) {
    float mean = 0, m2 = 0, n = 0;
    for (int i = threadIdx.x; i < half; i += 256) {
        float2 v = __bfloat1622float2(x[blockIdx.x * half + i]);
        n += 1; float d = v.x - mean; mean += d / n; m2 = fmaf(d, v.x - mean, m2);
        n += 1; d = v.y - mean; mean += d / n; m2 = fmaf(d, v.y - mean, m2);
    }
    __shared__ float means[256], squares[256], counts[256];
    means[threadIdx.x] = mean, squares[threadIdx.x] = m2, counts[threadIdx.x] = n;
    for (int k = 128; k; k /= 2) {
        __syncthreads();
        if (threadIdx.x < k && counts[threadIdx.x + k] > 0) {
            int o = threadIdx.x + k;
            float all = counts[threadIdx.x] + counts[o], d = means[o] - means[threadIdx.x];
            squares[threadIdx.x] += squares[o] + d * d * counts[threadIdx.x] * counts[o] / all;
            means[threadIdx.x] += d * counts[o] / all;
            counts[threadIdx.x] = all;
        }
    }
    __syncthreads();
    float r = rsqrtf(squares[0] / counts[0] + 1e-5f);
    for (int i = threadIdx.x; i < half; i += 256) {
        float2 v = __bfloat1622float2(x[blockIdx.x * half + i]);
        y[blockIdx.x * half + i] = __floats2bfloat162_rn((v.x - means[0]) * r * gain[2 * i], (v.y - means[0]) * r * gain[2 * i + 1]);
    }
}
