// An array indexed at run time, which lies in local memory; insertion sort.
extern "C" __global__ void sort(const short *x, short *y, int n) {
    short mine[32];
    for (int i = 0; i < 32; i++) {
        short v = x[threadIdx.x * 32 + i];
        int j = i;
        for (; j > 0 && mine[j - 1] > v; j--) mine[j] = mine[j - 1];
        mine[j] = v;
    }
    y[threadIdx.x] = mine[n & 31];
}
