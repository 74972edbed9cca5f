// Constant and global tables, and a module's variables.
struct Entry { unsigned char tag; short rank; float weight; const char *name; };
__constant__ float coefficients[8] = {1, -0.5f, 0.25f, 1e-3f, 3.14159265f, -0.0f, 1e30f, 7};
__constant__ Entry entries[] = {{1, -2, 0.5f, "one"}, {2, 300, 1.5f, "two"}};
__device__ int counter = 42;
__device__ double unset[16];
__managed__ long long shared_with_host = -1;
extern "C" __global__ void tables(float *y, char *text, int i) {
    float s = 0;
    for (int k = 7; k >= 0; k--) s = s * y[threadIdx.x] + coefficients[k];
    y[threadIdx.x] = s * entries[i].weight + entries[i].rank + counter + unset[i] + shared_with_host;
    for (int k = 0; (text[k] = entries[i].name[k]); k++) {}
}
