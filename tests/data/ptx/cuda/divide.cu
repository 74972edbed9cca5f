// Integer division and multiplication of 64 bits, shifts, bit fields.
extern "C" __global__ void divide(const long long *a, const unsigned long long *b, long long *c, unsigned n) {
    unsigned i = threadIdx.x;
    c[i] = a[i] / (long long)b[i] + (long long)((unsigned long long)a[i] % b[i]) + __mul64hi(a[i], b[i]) + a[i] % 10 + i / 7 + i % n;
    c[i + 1] = (a[i] >> (b[i] & 63)) | (long long)(b[i] << 5) | __umulhi(i, n) | ((i >> 3) & 0x1f) | __mul24(i, n) | __sad(i, n, 4);
}
