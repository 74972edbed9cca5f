// A switch of twelve unlike cases, which nvcc makes a tree of comparisons.
extern "C" __global__ void interpret(const int *code, int *out, float *f, int n) {
    int i = threadIdx.x;
    switch (code[i]) {
    case 0: out[i] = n / 3; break;
    case 1: f[i] = sqrtf(n); break;
    case 2: atomicAdd(out, i); break;
    case 3: __syncthreads(); out[0] = 1; break;
    case 4: f[i] = f[i + 1] * 2; break;
    case 5: out[i] = __popc(n); break;
    case 6: atomicMax(out + 1, n); break;
    case 7: f[0] = __sinf(n); break;
    case 8: out[i] = out[out[i]]; break;
    case 9: f[i] += 1; break;
    case 10: __threadfence(); out[2] = n; break;
    default: out[i] = 0;
    }
}
