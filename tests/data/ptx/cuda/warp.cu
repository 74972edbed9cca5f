// Votes, matches, reductions and shuffles, of whole warps and of parts; each thread keeps what it got.
extern "C" __global__ void warp(const int *x, unsigned *y) {
    int t = blockIdx.x * blockDim.x + threadIdx.x, v = x[t], lane = threadIdx.x % 32, all;
    unsigned *out = y + t * 16;
    out[0] = __ballot_sync(~0u, v > 3), out[1] = __any_sync(~0u, v > 6) + 2 * __all_sync(~0u, v < 7);
    out[2] = __match_any_sync(~0u, v), out[3] = __match_all_sync(~0u, v / 8, &all), out[4] = all;
    out[5] = __match_any_sync(~0u, (long long)v << 33);
    out[6] = __shfl_sync(~0u, v, v, 8), out[7] = __shfl_up_sync(~0u, v, 3, 16), out[8] = __shfl_down_sync(~0u, v, 5), out[9] = __shfl_xor_sync(~0u, v, 21);
    unsigned low = 0x00ff0fffu;
    if (low >> lane & 1) {
        out[10] = __reduce_add_sync(low, v), out[11] = __reduce_min_sync(low, v - 4), out[12] = __reduce_xor_sync(low, (unsigned)v * 77);
        out[13] = __ballot_sync(low, v & 1), out[14] = __shfl_sync(low, v, 2);
    } else {
        for (int i = 10; i < 15; i++) out[i] = i;
        out[12] = __reduce_max_sync(~low, (unsigned)v);
    }
    int p = 0;
    asm volatile("{\n\t.reg .pred q;\n\tshfl.sync.down.b32 %0|q, %1, 9, 0x1f, -1;\n\tselp.b32 %0, %0, -7, q;\n\t}" : "+r"(p) : "r"(v));
    out[15] = p;
}
