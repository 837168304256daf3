// Sines.
//
// Generated from MPFR by validation/constants; do not edit.
#pragma once

#include "mctensor/config.hpp"

// clang-format off
namespace mct::tables {

/// sin(index pi / 64).
template <class T>
struct SinTable;
template <>
struct SinTable<double> {
  static constexpr int count = 33;
  static constexpr int limbs = 5;
  MCT_HD static const double* row(int index) {
    static constexpr double data[count][limbs] = {
{0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0},
{0x1.91f65f10dd814p-5, -0x1.912bd0d569a9p-61, -0x1.d7476f4c4b019p-115, -0x1.7cbc503240da1p-170, -0x1.c021c042aedfbp-225},
{0x1.917a6bc29b42cp-4, -0x1.e2718d26ed688p-60, -0x1.18edefcf7ef57p-116, -0x1.117b6132a0f7dp-171, -0x1.f0415cfe50df7p-232},
{0x1.2c8106e8e613ap-3, 0x1.13000a89a11ep-58, 0x1.f07f9fe14048cp-112, -0x1.8791efc3908d9p-168, 0x1.ac652e223a1e6p-226},
{0x1.8f8b83c69a60bp-3, -0x1.26d19b9ff8d82p-57, 0x1.9b09f9ca72c69p-111, -0x1.ad1a1c58d78f1p-165, -0x1.876abeb3e5d7p-220},
{0x1.f19f97b215f1bp-3, -0x1.42deef11da2c4p-57, -0x1.b4ce553ffbd03p-111, -0x1.eedc26449888dp-167, -0x1.08c96955ab207p-223},
{0x1.294062ed59f06p-2, -0x1.5d28da2c4612dp-56, 0x1.7eea71c14d05cp-110, 0x1.bf68a811c561fp-164, -0x1.706bded8f5a46p-218},
{0x1.58f9a75ab1fddp-2, -0x1.efdc0d58cf62p-62, -0x1.f072f54189325p-119, -0x1.637563c349155p-173, 0x1.c148aac3ece85p-227},
{0x1.87de2a6aea963p-2, -0x1.72cedd3d5a61p-57, -0x1.11e4420e0a4b5p-112, -0x1.30876cf170faap-166, 0x1.062718f716d13p-220},
{0x1.b5d1009e15ccp-2, 0x1.5b362cb974183p-57, -0x1.cfcff7c31af0cp-113, -0x1.a67aeac9aa00bp-169, -0x1.6396c2eca185fp-224},
{0x1.e2b5d3806f63bp-2, 0x1.e0d891d3c6841p-58, 0x1.878ed68aad82ap-112, -0x1.29af979abf319p-167, 0x1.a70b973143593p-221},
{0x1.073879922ffeep-1, -0x1.a5a014347406cp-55, 0x1.0157dad78ffcbp-109, -0x1.358a279a58803p-165, -0x1.e4ca97ecb1ce1p-221},
{0x1.1c73b39ae68c8p-1, 0x1.b25dd267f66p-55, -0x1.56f3106b0516dp-109, 0x1.6fdd19f654cbp-163, 0x1.a30a5bf5e5fe4p-218},
{0x1.30ff7fce17035p-1, -0x1.efcc626f74a6fp-57, -0x1.68e6523ac8297p-114, 0x1.e72d4f1d9ce3ap-168, 0x1.3a1d0c0200d67p-223},
{0x1.44cf325091dd6p-1, 0x1.8076a2cfdc6b3p-57, 0x1.11a6e1c0b805fp-111, -0x1.1513fff670991p-169, 0x1.642b603b4fbc1p-225},
{0x1.57d69348cecap-1, -0x1.75720992bfbb2p-55, 0x1.a94c2fd0f385ap-112, -0x1.504c02e6e2f4dp-166, -0x1.bd737f3e9c3d1p-220},
{0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55, 0x1.57d3e3adec175p-109, 0x1.2775099da2f59p-165, 0x1.60cce64552bf2p-222},
{0x1.7b5df226aafafp-1, -0x1.0f537acdf0ad7p-56, -0x1.4951b1cc475b3p-111, 0x1.785955fc17a6bp-165, -0x1.79412fa0f9572p-220},
{0x1.8bc806b151741p-1, -0x1.2c5e12ed1336dp-55, 0x1.cc9ab51d0df4ep-110, -0x1.de8fc50c864a2p-165, -0x1.fa93181f4fde7p-221},
{0x1.9b3e047f38741p-1, -0x1.30ee286712474p-55, -0x1.96d598bf43c65p-110, 0x1.542fa7b91034bp-165, -0x1.7ec5c4a8449efp-219},
{0x1.a9b66290ea1a3p-1, 0x1.9f630e8b6dac8p-60, 0x1.f345a348e97cdp-115, -0x1.3615553f71a76p-172, 0x1.f34e5510fd1b8p-226},
{0x1.b728345196e3ep-1, -0x1.bc69f324e6d61p-55, -0x1.6f0112635b4d1p-110, 0x1.f4cb882f8ae9cp-164, 0x1.c69c53bc4d38cp-219},
{0x1.c38b2f180bdb1p-1, -0x1.6e0b1757c8d07p-56, -0x1.d3f8010ae0079p-111, -0x1.fd666c3e9d80ep-167, -0x1.40e1ac62a1114p-221},
{0x1.ced7af43cc773p-1, -0x1.e7b6bb5ab58aep-58, 0x1.525e5e3766505p-113, -0x1.9c1baef621eb1p-168, -0x1.5a8a78c36dbbfp-228},
{0x1.d906bcf328d46p-1, 0x1.457e610231ac2p-56, -0x1.4f3f87abe1619p-111, -0x1.e4a2c9448ed08p-165, 0x1.1c2041ba3531ap-219},
{0x1.e212104f686e5p-1, -0x1.014c76c126527p-55, 0x1.0e62b13b565c2p-109, -0x1.fc5dd676b3f16p-168, -0x1.54e21006cb4cp-222},
{0x1.e9f4156c62ddap-1, 0x1.760b1e2e3f81ep-55, -0x1.1ce7542369ecdp-109, 0x1.3422e511cefddp-165, -0x1.c98f05f6f2a02p-220},
{0x1.f0a7efb9230d7p-1, 0x1.52c7adc6b4989p-56, -0x1.db915a9794d33p-110, 0x1.9b1fd9368c994p-167, 0x1.17ce04f74636ap-222},
{0x1.f6297cff75cbp-1, 0x1.562172a361fd3p-56, -0x1.63744e82fc701p-110, 0x1.8f18ae1b19973p-164, 0x1.0da47458dca3dp-219},
{0x1.fa7557f08a517p-1, -0x1.7a0a8ca13571fp-55, -0x1.2a212f347e949p-111, -0x1.d7e51ad3a8fd1p-165, -0x1.de00f089f98cfp-220},
{0x1.fd88da3d12526p-1, -0x1.87df6378811c7p-55, 0x1.ba7bd68b25db4p-110, 0x1.96a3567b2681bp-164, 0x1.1a3bee8d8683ap-218},
{0x1.ff621e3796d7ep-1, -0x1.c57bc2e24aa15p-57, 0x1.453dcf53e4baap-112, 0x1.00c942d5d41cp-166, 0x1.4dbe4ca4837ebp-221},
{0x1p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0},
};
    return data[index];
  }
};
template <>
struct SinTable<float> {
  static constexpr int count = 33;
  static constexpr int limbs = 5;
  MCT_HD static const float* row(int index) {
    static constexpr float data[count][limbs] = {
{0x0p+0F, 0x0p+0F, 0x0p+0F, 0x0p+0F, 0x0p+0F},
{0x1.91f66p-5F, -0x1.de44fep-30F, 0x1.f376a2p-56F, -0x1.0d569ap-81F, -0x1.20eba4p-106F},
{0x1.917a6cp-4F, -0x1.eb25eap-31F, -0x1.e2718ep-60F, 0x1.b2252ep-85F, 0x1.fb9c48p-110F},
{0x1.2c8106p-3F, 0x1.d1cc28p-28F, -0x1.7768p-53F, 0x1.513424p-79F, -0x1.f83e02p-106F},
{0x1.8f8b84p-3F, -0x1.cb2cfap-30F, -0x1.49b466p-55F, -0x1.cffc6cp-80F, -0x1.993d82p-109F},
{0x1.f19f98p-3F, -0x1.37a83ap-29F, 0x1.57a422p-54F, 0x1.dc4ba8p-82F, -0x1.1b4ce6p-107F},
{0x1.294062p-2F, 0x1.dab3ep-27F, 0x1.6a2d72p-52F, 0x1.74ee7cp-78F, -0x1.65022cp-103F},
{0x1.58f9a8p-2F, -0x1.4a9c04p-27F, -0x1.80f7eep-53F, -0x1.ab19ecp-83F, -0x1.007c1cp-109F},
{0x1.87de2ap-2F, 0x1.abaa58p-28F, 0x1.68d312p-53F, 0x1.6152dp-80F, -0x1.0223c8p-105F},
{0x1.b5d1p-2F, 0x1.3c2b98p-27F, 0x1.5b362cp-57F, 0x1.72e83p-82F, 0x1.71818p-108F},
{0x1.e2b5d4p-2F, -0x1.fe4272p-28F, 0x1.8f06c4p-53F, 0x1.1d3c68p-78F, 0x1.05878ep-104F},
{0x1.07387ap-1F, -0x1.b74004p-27F, -0x1.34b402p-52F, -0x1.0d1d02p-77F, 0x1.44056p-103F},
{0x1.1c73b4p-1F, -0x1.9465cep-27F, 0x1.b25dd2p-55F, 0x1.9fd98p-81F, -0x1.56f31p-109F},
{0x1.30ff8p-1F, -0x1.8f47e6p-28F, 0x1.c20674p-54F, -0x1.37ba54p-80F, 0x1.0f4b8cp-105F},
{0x1.44cf32p-1F, 0x1.424776p-27F, -0x1.e7f896p-53F, 0x1.67ee36p-80F, -0x1.9772c8p-106F},
{0x1.57d694p-1F, -0x1.6e626cp-26F, -0x1.75720ap-55F, 0x1.b50114p-81F, -0x1.f2b59ep-107F},
{0x1.6a09e6p-1F, 0x1.9fcef4p-27F, -0x1.b7ba68p-52F, -0x1.3b2646p-79F, 0x1.4abeap-104F},
{0x1.7b5df2p-1F, 0x1.3557d8p-28F, -0x1.21ea7p-53F, 0x1.4c83d4p-78F, 0x1.46b6aep-103F},
{0x1.8bc806p-1F, 0x1.62a2e8p-26F, 0x1.69d0f6p-54F, 0x1.12eccap-79F, -0x1.98cd96p-104F},
{0x1.9b3e04p-1F, 0x1.fce1dp-27F, 0x1.6788ecp-54F, -0x1.9c491ep-81F, 0x1.e692a6p-106F},
{0x1.a9b662p-1F, 0x1.21d434p-26F, 0x1.819f64p-52F, -0x1.e2e924p-77F, -0x1.4df066p-102F},
{0x1.b72834p-1F, 0x1.465b9p-27F, -0x1.378d3ep-52F, -0x1.92736cp-78F, 0x1.ed21fep-103F},
{0x1.c38b3p-1F, -0x1.cfe84ap-26F, 0x1.a47d3ap-54F, 0x1.506e6p-81F, -0x1.ce9fcp-106F},
{0x1.ced7bp-1F, -0x1.786712p-26F, 0x1.786126p-52F, -0x1.dad5acp-77F, -0x1.5bab68p-103F},
{0x1.d906bcp-1F, 0x1.e651a8p-26F, 0x1.8a2bf4p-51F, -0x1.efdce6p-76F, 0x1.83ac3p-101F},
{0x1.e2121p-1F, 0x1.3da1bap-27F, -0x1.a0298ep-52F, -0x1.b04994p-77F, -0x1.35e33ap-102F},
{0x1.e9f416p-1F, -0x1.273a44p-26F, -0x1.689f4ep-51F, -0x1.d1c07ep-79F, -0x1.239ceap-106F},
{0x1.f0a7fp-1F, -0x1.1b73cap-27F, -0x1.ab4e14p-54F, -0x1.1ca5b4p-79F, 0x1.112376p-105F},
{0x1.f6297cp-1F, 0x1.feeb96p-26F, 0x1.562172p-56F, 0x1.46c3fap-81F, 0x1.539176p-107F},
{0x1.fa7558p-1F, -0x1.eeb5d2p-30F, -0x1.7a0a8cp-55F, -0x1.426ae4p-80F, 0x1.dabbdap-108F},
{0x1.fd88dap-1F, 0x1.e89292p-28F, 0x1.9e0828p-53F, -0x1.bc408ep-78F, -0x1.b22c22p-105F},
{0x1.ff621ep-1F, 0x1.bcb6bep-28F, 0x1.e3a844p-53F, -0x1.71255p-80F, -0x1.4d7584p-105F},
{0x1p+0F, 0x0p+0F, 0x0p+0F, 0x0p+0F, 0x0p+0F},
};
    return data[index];
  }
};

}  // namespace mct::tables
// clang-format on
