// kernels_sm_80.cubin, kernels_sm_90.cubin: nvcc -arch=sm_80 -cubin -Xptxas -v, of CUDA 13.0.88.
extern "C" __global__ void plain(int* a) { a[threadIdx.x] = 1; }

__global__ void shares(int* a) {
  __shared__ int kept[300];
  kept[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = kept[threadIdx.x ^ 7];
}

__global__ void stacks(int* a, int n) {
  int kept[100];
  for (int i = 0; i < 100; ++i) kept[i] = a[i * n];
  a[0] = kept[a[1] & 63] + kept[n];
}
