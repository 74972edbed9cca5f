// Integer arithmetic: division and high products of 64 bits, 128-bit sums with carries, bit fields, dot products of bytes.
extern "C" __global__ void integers(const long long *a, const long long *b, unsigned long long *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    long long x = a[i], y = b[i] | 1;
    unsigned long long ux = x, uy = y, *o = out + i * 16;
    int p = x, q = y;
    unsigned up = p, uq = q;
    o[0] = x / y, o[1] = x % y, o[2] = ux / uy, o[3] = ux % uy, o[4] = p / q, o[5] = up % (uq >> 16 | 1);
    o[6] = __mul64hi(x, y), o[7] = __umul64hi(ux, uy), o[8] = (unsigned long long)__mulhi(p, q) << 32 | __umulhi(up, uq);
    unsigned __int128 w = (unsigned __int128)ux * uy + ((unsigned __int128)uy << 64) - ux;
    o[9] = (unsigned long long)(w >> 64) ^ (unsigned long long)w;
    o[10] = (x >> (p & 63)) ^ (ux << (q & 63)) ^ (ux >> 7);
    o[11] = (unsigned long long)__byte_perm(up, uq, 0x3715) << 32 | __funnelshift_l(up, uq, p) ^ __funnelshift_r(up, uq, q);
    o[12] = (unsigned long long)__dp4a(p, q, 7) << 32 | (unsigned)__dp4a(up, uq, 9u) ^ (unsigned)__dp2a_lo(p, q, 5) ^ __dp2a_hi(up, uq, 3u);
    o[13] = (unsigned long long)(__popcll(x) + 100 * __clzll(x) + 10000 * __ffsll(x)) << 32 | __brev(up);
    unsigned field, put;
    int signed_field;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(field) : "r"(up), "r"(uq & 31), "r"(uq >> 8 & 31));
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(signed_field) : "r"(p), "r"(uq & 31), "r"(uq >> 8 & 31));
    asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(put) : "r"(up), "r"(uq), "r"(uq & 31), "r"(uq >> 8 & 31));
    o[14] = (unsigned long long)(field ^ put) << 32 | (unsigned)signed_field;
    o[15] = (unsigned long long)(__sad(p, q, 3u) ^ __mul24(p, q) ^ abs(p)) << 32 | (unsigned)(min(p, q) ^ (int)max(up, uq) ^ (int)min(x, y) ^ (short)p * (short)q);
}
