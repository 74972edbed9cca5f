#include <cuda_bf16.h>
// Blocks of 32 x 64 of C = A B by four warps: three stages of cp.async that fill up with zeros at ragged edges, 16-byte chunks swizzled
// by XOR, ldmatrix with and without .trans, mma.sync. k is a multiple of 32, n of 8.
const int M = 32, N = 64, K = 32, STAGES = 3;
__device__ unsigned at_a(int row, int chunk) { return (row * (K / 8) + (chunk ^ row / 2 % 4)) * 16; }
__device__ unsigned at_b(int row, int chunk) { return (row * (N / 8) + (chunk ^ row % 8)) * 16; }
__device__ void copy(unsigned to, const void *from, bool inside) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(inside ? 16 : 0));
}
extern "C" __global__ void __launch_bounds__(128) gemm_mma(const __nv_bfloat16 *a, const __nv_bfloat16 *b, float *c, int m, int n, int k) {
    __shared__ __align__(128) unsigned char sa[STAGES][M * K * 2], sb[STAGES][K * N * 2];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, row0 = blockIdx.y * M, col0 = blockIdx.x * N;
    auto load = [&](int stage) {
        if (stage * K < k) {
            unsigned to_a = __cvta_generic_to_shared(sa[stage % STAGES]), to_b = __cvta_generic_to_shared(sb[stage % STAGES]);
            int row = t / 4, chunk = t % 4;
            bool inside = row0 + row < m;
            copy(to_a + at_a(row, chunk), a + (inside ? (row0 + row) * k + stage * K + chunk * 8 : 0), inside);
            for (int i = t; i < K * N / 8; i += 128) {
                row = i / 8, chunk = i % 8, inside = col0 + chunk * 8 < n;
                copy(to_b + at_b(row, chunk), b + (inside ? (stage * K + row) * n + col0 + chunk * 8 : 0), inside);
            }
        }
        asm volatile("cp.async.commit_group;");
    };
    float d[2][2][4] = {};
    for (int s = 0; s < STAGES - 1; s++) load(s);
    for (int s = 0; s * K < k; s++) {
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
        __syncthreads();
        load(s + STAGES - 1);
        unsigned from_a = __cvta_generic_to_shared(sa[s % STAGES]), from_b = __cvta_generic_to_shared(sb[s % STAGES]);
        for (int i = 0; i < K / 16; i++) {
            unsigned ra[2][4], rb[4];
            for (int j = 0; j < 2; j++)
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                             : "=r"(ra[j][0]), "=r"(ra[j][1]), "=r"(ra[j][2]), "=r"(ra[j][3])
                             : "r"(from_a + at_a(j * 16 + lane % 16, i * 2 + lane / 16)) : "memory");
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                         : "=r"(rb[0]), "=r"(rb[1]), "=r"(rb[2]), "=r"(rb[3])
                         : "r"(from_b + at_b(i * 16 + lane % 16, warp * 2 + lane / 16)) : "memory");
            for (int j = 0; j < 2; j++)
                for (int l = 0; l < 2; l++)
                    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                                 "{%0, %1, %2, %3};"
                                 : "+f"(d[j][l][0]), "+f"(d[j][l][1]), "+f"(d[j][l][2]), "+f"(d[j][l][3])
                                 : "r"(ra[j][0]), "r"(ra[j][1]), "r"(ra[j][2]), "r"(ra[j][3]), "r"(rb[2 * l]), "r"(rb[2 * l + 1]));
        }
    }
    for (int j = 0; j < 2; j++)
        for (int l = 0; l < 2; l++)
            for (int h = 0; h < 2; h++) {
                int row = row0 + j * 16 + h * 8 + lane / 4, col = col0 + warp * 16 + l * 8 + lane % 4 * 2;
                if (row < m && col < n) *(float2 *)(c + row * n + col) = make_float2(d[j][l][2 * h], d[j][l][2 * h + 1]);
            }
}
