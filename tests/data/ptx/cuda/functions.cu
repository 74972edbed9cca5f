// Functions that are called: of values, structures, pointers; recursion; through a table of pointers.
struct Pair { float a; double b; int c[3]; };
__device__ __noinline__ float square(float x) { return x * x; }
__device__ __noinline__ Pair make(float a, double b, const int *c) { return Pair{a, b, {c[0], c[1], c[2]}}; }
__device__ __noinline__ int depth(int n) { return n <= 1 ? 1 : depth(n / 2) + depth(n - n / 2); }
__device__ __noinline__ int plus(int a, int b) { return a + b; }
__device__ __noinline__ int times(int a, int b) { return a * b; }
typedef int (*Operation)(int, int);
__device__ Operation operations[] = {plus, times};
extern "C" __global__ void functions(float *x, Pair *p, int *n) {
    x[threadIdx.x] = square(x[threadIdx.x]);
    p[threadIdx.x] = make(x[0], 2.5, n);
    n[threadIdx.x] = depth(n[threadIdx.x]) + operations[n[0] & 1](n[1], n[2]);
}
