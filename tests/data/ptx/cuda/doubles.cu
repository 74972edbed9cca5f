// Double arithmetic, with the library's functions.
extern "C" __global__ void doubles(const double *x, double *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double v = x[i];
    y[i] = sqrt(v) + v / 3 + fma(v, v, 1.0) + floor(v) + rint(v) + fabs(v) + (double)(float)v + (double)(int)v + __drcp_rn(v) + exp(v)
        + copysign(1.0, v) + fmin(v, 2.0) + (double)__double2ll_rz(v) + (isnan(v) ? 1 : 0);
}
