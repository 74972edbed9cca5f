#include <cuda_fp16.h>
// One warp, 16 x 8 of D: cp.async, ldmatrix and mma.sync by hand.
extern "C" __global__ void matmul_mma(const half *a, const half *b, float *d, int k) {
    __shared__ __align__(128) half sa[2][16 * 16], sb[2][8 * 16];
    float c[4] = {0, 0, 0, 0};
    int lane = threadIdx.x;
    auto load = [&](int stage, int at) {
        unsigned to = __cvta_generic_to_shared(&sa[stage][lane * 8]);
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(a + (lane / 2) * k + at + lane % 2 * 8));
        to = __cvta_generic_to_shared(&sb[stage][lane * 4]);
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(to), "l"(b + (lane / 4) * k + at + lane % 4 * 4));
        asm volatile("cp.async.commit_group;");
    };
    load(0, 0);
    for (int at = 0, stage = 0; at < k; at += 16, stage ^= 1) {
        if (at + 16 < k) {
            load(stage ^ 1, at + 16);
            asm volatile("cp.async.wait_group 1;" ::: "memory");
        } else asm volatile("cp.async.wait_all;" ::: "memory");
        __syncwarp();
        unsigned ra[4], rb[2];
        unsigned from = __cvta_generic_to_shared(&sa[stage][(lane % 16) * 16 + lane / 16 * 8]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3]) : "r"(from));
        from = __cvta_generic_to_shared(&sb[stage][(lane % 8) * 16 + lane / 8 % 2 * 8]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(rb[0]), "=r"(rb[1]) : "r"(from));
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
        __syncwarp();
    }
    for (int i = 0; i < 4; i++) d[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = c[i];
}
