#include <cuda_pipeline.h>
// Dynamic shared memory in three stages, vectors of four, by the pipeline primitives.
extern "C" __global__ void __launch_bounds__(128) stages(const float4 *x, float4 *y, int n, float s) {
    extern __shared__ float4 ring[];
    for (int i = 0; i < 2; i++) {
        if (i * 128 + threadIdx.x < n) __pipeline_memcpy_async(&ring[i * 128 + threadIdx.x], &x[i * 128 + threadIdx.x], 16);
        __pipeline_commit();
    }
    for (int i = 0; i * 128 < n; i++) {
        int next = (i + 2) * 128 + threadIdx.x;
        if (next < n) __pipeline_memcpy_async(&ring[(i + 2) % 3 * 128 + threadIdx.x], &x[next], 16);
        __pipeline_commit();
        __pipeline_wait_prior(2);
        __syncthreads();
        float4 v = ring[i % 3 * 128 + 127 - threadIdx.x];
        if (i * 128 + threadIdx.x < n) y[i * 128 + threadIdx.x] = make_float4(v.x * s, v.y + s, fminf(v.z, s), v.w / s);
        __syncthreads();
    }
}
