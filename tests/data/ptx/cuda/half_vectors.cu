#include <cuda_fp16.h>
#include <cuda_bf16.h>
// Eight halves in a 16-byte load, pairs of f16 and of bf16: sums, products, fused ones, comparisons, extremes, conversions.
extern "C" __global__ void half_vectors(const uint4 *x, uint4 *y, uint4 *z, int *k, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint4 in = x[i], out, bf;
    unsigned *from = (unsigned *)&in, *to = (unsigned *)&out, *bto = (unsigned *)&bf;
    int kept = 0;
    for (int j = 0; j < 4; j++) {
        __half2 v = *(__half2 *)&from[j], w = __lowhigh2highlow(v);
        __half2 r = __hfma2(v, w, __hsub2(v, __half2half2(__low2half(w))));
        r = __hmax2(__hmin2(r, __hmul2(v, v)), __hneg2(__habs2(w)));
        r = __hgt(__high2half(r), __low2half(v)) ? __hadd2_sat(r, v) : __hfma2_relu(r, w, v);
        to[j] = *(unsigned *)&r;
        float2 wide = __half22float2(v);
        __nv_bfloat162 b = __floats2bfloat162_rn(wide.x * 3, wide.y - 0.1f), c = __hmul2(b, __hadd2(b, b));
        b = __hfma2(b, c, __bfloat162bfloat162(__low2bfloat16(c)));
        b = __hlt(__low2bfloat16(b), __high2bfloat16(b)) ? __hmax2(b, c) : __hneg2(b);
        bto[j] = *(unsigned *)&b;
        kept += __half2int_rd(__low2half(v)) * 16 + __half2int_rz(__high2half(v)) + __hisnan(__low2half(r)) * 1000 + __bfloat162int_rn(__low2bfloat16(b));
        kept += (int)__hge2_mask(v, w) & 64;
    }
    y[i] = out, z[i] = bf, k[i] = kept;
}
