// Seven points in three dimensions, blocks of 8 x 4 x 4 with a halo in shared memory; weights in constant memory.
__constant__ float weights[4] = {0.5f, 0.125f, -0.25f, 1.0f / 3};
extern "C" __global__ void stencil(const float *x, float *y, int nx, int ny, int nz) {
    __shared__ float tile[6][6][10];
    int gx = blockIdx.x * 8 + threadIdx.x, gy = blockIdx.y * 4 + threadIdx.y, gz = blockIdx.z * 4 + threadIdx.z;
    int me = (threadIdx.z * 4 + threadIdx.y) * 8 + threadIdx.x;
    for (int i = me; i < 360; i += 128) {
        int lx = i % 10, ly = i / 10 % 6, lz = i / 60, px = blockIdx.x * 8 + lx - 1, py = blockIdx.y * 4 + ly - 1, pz = blockIdx.z * 4 + lz - 1;
        bool inside = px >= 0 && px < nx && py >= 0 && py < ny && pz >= 0 && pz < nz;
        tile[lz][ly][lx] = inside ? x[(pz * ny + py) * nx + px] : 0;
    }
    __syncthreads();
    if (gx >= nx || gy >= ny || gz >= nz) return;
    int a = threadIdx.x + 1, b = threadIdx.y + 1, c = threadIdx.z + 1;
    float s = weights[0] * tile[c][b][a] + weights[1] * (tile[c][b][a - 1] + tile[c][b][a + 1]);
    s += weights[2] * (tile[c][b - 1][a] + tile[c][b + 1][a]) + weights[3] * (tile[c - 1][b][a] + tile[c + 1][b][a]);
    y[(gz * ny + gy) * nx + gx] = s;
}
