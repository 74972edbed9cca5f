// One warp, one matrix instruction of each kind; operands are loaded as the registers lie, lane by lane.
extern "C" __global__ void mma_kinds(const unsigned *x, const float *f, const double *d, int *s8, int *u4, float *tf32, double *f64, unsigned *f16, unsigned *bits) {
    int t = threadIdx.x;
    unsigned a[4], b[2];
    for (int i = 0; i < 4; i++) a[i] = x[i * 32 + t];
    for (int i = 0; i < 2; i++) b[i] = x[128 + i * 32 + t];
    int c[4] = {1, -2, 3, 2147483000};
    asm volatile("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    for (int i = 0; i < 4; i++) s8[i * 32 + t] = c[i];
    int e[4] = {0, 0, 0, 0};
    asm volatile("mma.sync.aligned.m16n8k64.row.col.s32.u4.s4.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+r"(e[0]), "+r"(e[1]), "+r"(e[2]), "+r"(e[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    for (int i = 0; i < 4; i++) u4[i * 32 + t] = e[i];
    int p[4] = {0, 0, 0, 0};
    asm volatile("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+r"(p[0]), "+r"(p[1]), "+r"(p[2]), "+r"(p[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    for (int i = 0; i < 4; i++) bits[i * 32 + t] = p[i];
    unsigned q[6];
    for (int i = 0; i < 6; i++) asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(q[i]) : "f"(f[i * 32 + t]));
    float g[4] = {0.5f, -1, 0, 1e-3f};
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(g[0]), "+f"(g[1]), "+f"(g[2]), "+f"(g[3]) : "r"(q[0]), "r"(q[1]), "r"(q[2]), "r"(q[3]), "r"(q[4]), "r"(q[5]));
    for (int i = 0; i < 4; i++) tf32[i * 32 + t] = g[i];
    double h[2] = {1, -1};
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(h[0]), "+d"(h[1]) : "d"(d[t]), "d"(d[32 + t]));
    for (int i = 0; i < 2; i++) f64[i * 32 + t] = h[i];
    unsigned half[6], r[2] = {0x3c00bc00u, 0};
    for (int i = 0; i < 6; i++) asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(half[i]) : "f"(f[i * 32 + t]), "f"(f[i * 32 + (t ^ 1)]));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
                 : "+r"(r[0]), "+r"(r[1]) : "r"(half[0]), "r"(half[1]), "r"(half[2]), "r"(half[3]), "r"(half[4]), "r"(half[5]));
    for (int i = 0; i < 2; i++) f16[i * 32 + t] = r[i];
}
