// Votes, matches, reductions and shuffles of a warp.
extern "C" __global__ void shuffles(const int *x, unsigned *y) {
    int v = x[threadIdx.x], p, u = __match_all_sync(~0u, v, &p);
    unsigned m = __activemask();
    y[0] = __ballot_sync(m, v > 3) + __any_sync(m, v > 4) + __all_sync(m, v > 5) + p + u;
    y[1] = __match_any_sync(~0u, (long long)v) + __shfl_sync(~0u, v, 3, 8) + __shfl_up_sync(~0u, v, 1) + __shfl_xor_sync(~0u, v, 4);
    y[2] = __reduce_add_sync(~0u, v) + __reduce_max_sync(~0u, v) + __reduce_or_sync(~0u, (unsigned)v);
    y[3] = __popc(m) + __clz(v) + __ffs(v) + __brev(v) + __byte_perm(v, u, 0x3120) + __funnelshift_l(v, u, 7);
}
