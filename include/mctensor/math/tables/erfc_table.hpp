// Gaussian weights of the trapezoidal rule for erfc.
//
// Generated from MPFR by validation/constants; do not edit.
#pragma once

#include "mctensor/config.hpp"

// clang-format off
namespace mct::tables {

/// exp(-(index / 4)^2).
template <class T>
struct GaussTable;
template <>
struct GaussTable<double> {
  static constexpr int count = 52;
  static constexpr int limbs = 5;
  MCT_HD static const double* row(int index) {
    static constexpr double data[count][limbs] = {
{0x1p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0},
{0x1.e0fabfbc702a4p-1, -0x1.8d0e700fcfb65p-56, -0x1.d140af38bf4c6p-111, -0x1.b1e39e92b124bp-165, -0x1.b6d0a571641dep-226},
{0x1.8ebef9eac820bp-1, -0x1.797d4686c5393p-57, 0x1.e772c0e212b58p-113, -0x1.50bcf243f9809p-168, 0x1.4a3c17871bfd8p-224},
{0x1.23ba930c1568bp-1, -0x1.b61343fc21a3bp-64, 0x1.675f9747c54e1p-118, 0x1.48d3e1431a581p-172, 0x1.0b8b19a5ab965p-226},
{0x1.78b56362cef38p-2, -0x1.ca8a4270fadf5p-57, -0x1.837912b3fd2aap-111, -0x1.52711999fb68cp-165, -0x1.7ad7c1289274ep-219},
{0x1.ad48bc25771c7p-3, 0x1.a72658f708c5cp-57, 0x1.f57e1513b17a9p-112, 0x1.1342822902879p-167, -0x1.955885228a638p-222},
{0x1.afb718e8457f7p-4, 0x1.39fee37323f9dp-58, 0x1.b821001176b3cp-115, -0x1.4cb3251718bf4p-171, -0x1.ea4e8fbb48ca3p-225},
{0x1.7f251ab1af77bp-5, 0x1.d55308822f7c4p-59, -0x1.ddb4daacf8c24p-114, 0x1.c6bd17eeb6a19p-168, 0x1.01005dafe59dfp-223},
{0x1.2c155b8213cf4p-6, 0x1.dfa2bc04cb0acp-60, -0x1.dc2b5c1af2b1ep-114, -0x1.c116643654f2ep-171, 0x1.66857369a152ep-225},
{0x1.9ed300c108a17p-8, -0x1.cec6182a455b2p-62, -0x1.2d824cb15fea2p-118, -0x1.414493018bfabp-173, 0x1.1b6decfd48317p-227},
{0x1.fa0e9586aebc7p-10, -0x1.1b19665e2b601p-64, 0x1.993a859b21bbep-119, -0x1.1a071f86af455p-175, -0x1.975e32c8acd3fp-229},
{0x1.1068222437d65p-11, 0x1.5fce98a3105e2p-65, 0x1.c178834e89328p-119, -0x1.bda6b72ecd064p-174, -0x1.743e3177a6bc3p-228},
{0x1.02cf22526545ap-13, -0x1.baa4930fbe89fp-67, -0x1.26f68b6ad9c14p-122, 0x1.c77e9d0709555p-176, 0x1.4ca403f409fb9p-231},
{0x1.b1fea4fbb871ap-16, 0x1.3a63e301209c2p-70, 0x1.078e3b09b2a6cp-125, 0x1.c6b59b529a4adp-179, -0x1.8eec61df807ccp-235},
{0x1.411fb0da07713p-18, 0x1.94e94ed013199p-72, -0x1.2e94425ab5051p-126, 0x1.3cc79e4abfb6ap-180, 0x1.63faaf8af6e1ap-237},
{0x1.a3604afdb0929p-21, -0x1.58b963eea1cc1p-76, 0x1.4b4eb07330c7dp-131, -0x1.23d3a48789684p-186, 0x1.3347d54d40241p-240},
{0x1.e355bbaee85cbp-24, -0x1.2cd0460668bb8p-79, -0x1.30ce75923dbbep-134, 0x1.f57564d7e0b36p-188, -0x1.90f7d27de57e9p-245},
{0x1.eb97d4afc3bd3p-27, 0x1.c1e09f2a5481cp-83, 0x1.044c97f768ac5p-137, 0x1.6060d004a65e1p-191, 0x1.45eaf254a5d8ep-245},
{0x1.b93de1e27ca3bp-30, -0x1.6a3c4abdc49a6p-85, -0x1.fee0a47f3be6p-139, 0x1.2d4745559da58p-193, -0x1.4aa6d018de35dp-247},
{0x1.5d82c26ce1c09p-33, -0x1.e0693f9d34af3p-87, 0x1.d611a6c8060cep-141, -0x1.a147f992a982p-195, 0x1.d1c96e9551172p-251},
{0x1.e8a37a45fc32ep-37, -0x1.7e71b11e189cbp-92, 0x1.ad4f0a23b5724p-151, -0x1.4c988077e8065p-205, 0x1.de641563a616p-263},
{0x1.2d7026e60ab5ep-40, -0x1.7df737fece9f6p-96, -0x1.3b42254829f2ap-151, 0x1.ea342e756a384p-207, -0x1.351494cb10496p-261},
{0x1.4835bd010a41bp-44, 0x1.7ab2b43c666b5p-99, -0x1.66938e8322496p-154, 0x1.af6d526712707p-208, -0x1.e02173255f333p-265},
{0x1.3b5e5c86b944p-48, -0x1.8d698aca7829bp-102, -0x1.cb89148d9e55cp-156, -0x1.e9aebd3791a61p-211, -0x1.8f3943ef078a7p-266},
{0x1.0b6c3afdde064p-52, -0x1.fe4bbfcd1d1a9p-106, 0x1.b381876b8bc85p-160, 0x1.50ba8c1de919fp-214, 0x1.386eb5d1c13b4p-268},
{0x1.903daec8f0fbp-57, 0x1.f1df1507cab4dp-113, 0x1.69d9b99c1f1e8p-168, 0x1.0ee8ea50464fp-223, 0x1.25b75e3157e72p-278},
{0x1.0851945bd91fcp-61, -0x1.3b6a870787586p-115, -0x1.e89dc3a3e555p-169, 0x1.107ff0f23f744p-224, 0x1.220171e3945bcp-284},
{0x1.3416fe652236ep-66, -0x1.45cfc8fef3824p-120, 0x1.29d02d47357d1p-175, -0x1.7f6917c5ea73fp-231, 0x1.12d3e6218a90ap-285},
{0x1.3ce9b9de78f85p-71, 0x1.57c5ae581a407p-128, -0x1.61769002f4f11p-183, -0x1.a48cfb96bac57p-241, -0x1.27ebdfb0a8aep-295},
{0x1.1faf244491cefp-76, 0x1.2ff474ffbe429p-130, -0x1.21f1c2cfd26b8p-184, 0x1.ee504ae834732p-238, 0x1.38b3b12bfc283p-293},
{0x1.ccee1660198f4p-82, -0x1.9752fa8bd88a3p-136, 0x1.02b8f450f7717p-195, 0x1.e14445e6b32ddp-249, -0x1.16393704a6964p-304},
{0x1.45dd5a99eca38p-87, 0x1.273783087e2fdp-144, 0x1.07b6daede619ep-198, -0x1.d3de1bc582fc7p-252, 0x1.f7d598a62c557p-306},
{0x1.969d47321e4ccp-93, -0x1.5034b5fe3da71p-147, -0x1.f7cd7a2079153p-202, -0x1.7ac9f6773c5p-256, 0x1.a70027b2cd952p-310},
{0x1.bfc185a84a1f3p-99, -0x1.5874a2869fbb4p-153, 0x1.a58c9d394a877p-208, -0x1.48ff134dfb3e4p-262, -0x1.a79aff3842e8cp-320},
{0x1.b31fc898ca55ep-105, 0x1.91609f10c0db2p-163, -0x1.9af21b72af7a8p-217, 0x1.1ca5e20b981fap-273, -0x1.2bc93df301826p-328},
{0x1.7529a5f35e673p-111, -0x1.5b26202a3e6abp-166, -0x1.9eeecc661871p-220, -0x1.4b2d0c9b52683p-274, -0x1.fcc1389820b7dp-329},
{0x1.1a6baeadb4fd1p-117, -0x1.3b64a5e06feedp-171, -0x1.e2e01acf8150bp-226, -0x1.6f56c2449445bp-282, 0x1.bf3c2c5e310b6p-336},
{0x1.7941e7f417edbp-124, -0x1.4c24eb9cbd699p-179, 0x1.0e62bb600c28fp-233, 0x1.ab4f4ab326ed8p-291, -0x1.96903aaee7379p-348},
{0x1.bcb9d36e6100dp-131, -0x1.e17c9506000c2p-185, -0x1.0ac5e4b1a6bcfp-241, 0x1.6588a8644527dp-296, 0x1.455f76d730221p-350},
{0x1.cea87a02d0139p-138, 0x1.5955a4695219bp-192, 0x1.7c5c62d8c6642p-247, -0x1.00c14dca3226dp-304, -0x1.4e7f485ff8978p-358},
{0x1.a8c1f14e2af5dp-145, -0x1.43089bb228e2cp-199, -0x1.a5193fa343bap-256, 0x1.27ffea9cd1c19p-315, 0x1.89ca9efe438e4p-369},
{0x1.5823deab4ab7ep-152, -0x1.bd88619e49812p-206, 0x1.433f6245a7624p-260, -0x1.9d0f9abab52b6p-314, -0x1.08a7a4db766c2p-374},
{0x1.ec1f31193575dp-160, 0x1.f4f6160a9233p-214, -0x1.3a770e773ab8ep-268, 0x1.a9a49b5771715p-322, 0x1.43fe51d46e98ep-378},
{0x1.3685c75a1c4d3p-167, -0x1.d664bf85c8ff6p-221, -0x1.b145ce0bf2e95p-275, -0x1.aa02c45193414p-332, 0x1.91c3870c583ccp-386},
{0x1.59d34dd8a5473p-175, 0x1.b1e770d8213b5p-229, 0x1.6323132aaf575p-283, 0x1.c9176748d4e4p-337, 0x1.0e6c5b0a5fdbdp-394},
{0x1.53e2ec106a391p-183, 0x1.25bef411111ffp-237, -0x1.0b9079ab7f50dp-292, 0x1.a1997dce1141ap-347, 0x1.b02b6594674aap-402},
{0x1.26cc2dd187404p-191, 0x1.9400ebc714736p-247, 0x1.d855bf5b11521p-303, 0x1.f16aaf91e3d48p-358, -0x1.727ed4a651b5bp-414},
{0x1.c34aa23caaf41p-200, 0x1.c5d90dac13ad5p-254, 0x1.a7c6c20ecf52dp-308, 0x1.b2de58a72e8a2p-362, -0x1.72b4c3b648d92p-416},
{0x1.30d759323998cp-208, -0x1.65ef8e2e0d6c5p-266, 0x1.4f701752f558cp-324, 0x1.34a4a13c5348fp-378, 0x1.8f85bfbe1504cp-433},
{0x1.6b70c54b393dap-217, -0x1.eff73a6bc971p-271, -0x1.7a516aad90c31p-325, -0x1.628e57b8b4e14p-390, 0x1.f8201a573bc97p-445},
{0x1.7e63c38374debp-226, 0x1.5cd6c9d3eb3eep-282, -0x1.817ea8f6e85d3p-338, 0x1.cde370677ee38p-392, -0x1.9e80e813ff268p-446},
{0x1.630d5e432d3c6p-235, 0x1.d0a1969bc7165p-289, -0x1.2a6e98b1da845p-345, -0x1.1e646544fbbb7p-399, 0x1.9aa6c85fae861p-456},
};
    return data[index];
  }
};
template <>
struct GaussTable<float> {
  static constexpr int count = 52;
  static constexpr int limbs = 5;
  MCT_HD static const float* row(int index) {
    static constexpr float data[count][limbs] = {
{0x1p+0F, 0x0p+0F, 0x0p+0F, 0x0p+0F, 0x0p+0F},
{0x1.e0facp-1F, -0x1.0e3f58p-27F, 0x1.e72f18p-52F, 0x1.fe060ap-77F, -0x1.94e8ap-102F},
{0x1.8ebefap-1F, -0x1.537df6p-29F, 0x1.d0d058p-54F, -0x1.a1b14ep-79F, -0x1.2e188ep-105F},
{0x1.23ba94p-1F, -0x1.e7d52ep-26F, -0x1.400dbp-51F, -0x1.343fc2p-76F, -0x1.a3aa62p-104F},
{0x1.78b564p-2F, -0x1.3a621ap-27F, 0x1.f1abaep-52F, -0x1.387d7p-80F, 0x1.53e438p-106F},
{0x1.ad48bcp-3F, 0x1.2bb8e4p-30F, -0x1.2c6cd4p-56F, 0x1.ee118cp-82F, -0x1.e0a81ep-108F},
{0x1.afb718p-4F, 0x1.d08afep-29F, 0x1.d39feep-54F, 0x1.b991fcp-81F, 0x1.d0dc1p-106F},
{0x1.7f251ap-5F, 0x1.635efp-30F, -0x1.22aadp-55F, 0x1.1045fp-80F, -0x1.e1ddb4p-106F},
{0x1.2c155cp-6F, -0x1.f7b0c2p-32F, -0x1.c40ba8p-57F, -0x1.fd9a7ap-83F, -0x1.4770aep-108F},
{0x1.9ed3p-8F, 0x1.821142p-33F, 0x1.a3139ep-58F, 0x1.f56eaap-84F, -0x1.9096c2p-109F},
{0x1.fa0e96p-10F, -0x1.e5450ep-36F, -0x1.46c65ap-62F, 0x1.a1d4ap-88F, -0x1.99b15ep-117F},
{0x1.106822p-11F, 0x1.21beb2p-38F, 0x1.57f3a6p-63F, 0x1.4620bcp-90F, 0x1.382f1p-116F},
{0x1.02cf22p-13F, 0x1.499516p-39F, 0x1.9156dcp-65F, -0x1.87df44p-90F, -0x1.f24deep-115F},
{0x1.b1fea4p-16F, 0x1.f770e4p-41F, -0x1.6c59c2p-66F, 0x1.80904ep-93F, 0x1.1078e4p-121F},
{0x1.411fbp-18F, 0x1.b40ee2p-43F, 0x1.b29d2ap-69F, -0x1.2fece6p-96F, -0x1.d2e944p-122F},
{0x1.a3604ap-21F, 0x1.fb6126p-46F, -0x1.cac5ccp-71F, 0x1.c115e4p-96F, -0x1.81ad2cp-121F},
{0x1.e355bcp-24F, -0x1.445e8ep-50F, 0x1.6d32fcp-75F, -0x1.819a2ep-101F, -0x1.c130cep-126F},
{0x1.eb97d4p-27F, 0x1.5f877ap-52F, 0x1.8e0f04p-78F, 0x1.f2a548p-103F, 0x1.c4114p-131F},
{0x1.b93de2p-30F, -0x1.d835c6p-58F, 0x1.a570eep-83F, -0x1.5ee24ep-108F, 0x1.9804p-133F},
{0x1.5d82c2p-33F, 0x1.b38702p-59F, 0x1.0fcb6p-86F, 0x1.8b2d44p-113F, -0x1.454p-138F},
{0x1.e8a37ap-37F, 0x1.17f0ccp-63F, -0x1.17e71cp-88F, 0x1.dc3cecp-113F, 0x1.a8p-139F},
{0x1.2d7026p-40F, 0x1.cc156cp-65F, -0x1.0befbap-91F, 0x1.00262cp-117F, 0x1.4p-145F},
{0x1.4835bep-44F, -0x1.fdeb7cp-69F, -0x1.342a6ap-94F, -0x1.787332p-120F, -0x1.3p-145F},
{0x1.3b5e5cp-48F, 0x1.0d7288p-73F, -0x1.8d698ap-102F, -0x1.94f054p-127F, 0x0p+0F},
{0x1.0b6c3ap-52F, 0x1.fbbc0cp-77F, 0x1.c03688p-103F, 0x1.9717p-133F, 0x0p+0F},
{0x1.903daep-57F, 0x1.91e1f6p-82F, 0x1.f1df16p-113F, -0x1.f06p-138F, -0x0p+0F},
{0x1.085194p-61F, 0x1.6f647ep-87F, 0x1.d892bp-112F, -0x1.c1ep-137F, -0x0p+0F},
{0x1.3416fep-66F, 0x1.9488dcp-92F, -0x1.28b9fap-117F, 0x1.cp-142F, 0x0p+0F},
{0x1.3ce9bap-71F, -0x1.0c383ep-98F, 0x1.0abe2ep-123F, -0x1p-148F, -0x0p+0F},
{0x1.1faf24p-76F, 0x1.12473cp-102F, -0x1.6805cp-129F, -0x0p+0F, -0x0p+0F},
{0x1.ccee16p-82F, 0x1.80663cp-108F, 0x1.cd16p-133F, -0x0p+0F, -0x0p+0F},
{0x1.45dd5ap-87F, 0x1.33d948p-112F, -0x1.fdbp-137F, -0x0p+0F, -0x0p+0F},
{0x1.969d48p-93F, -0x1.9bc366p-118F, -0x1.14p-143F, -0x0p+0F, -0x0p+0F},
{0x1.bfc186p-99F, -0x1.5ed784p-125F, 0x1p-149F, -0x0p+0F, -0x0p+0F},
{0x1.b31fc8p-105F, 0x1.3194ap-130F, 0x0p+0F, 0x0p+0F, 0x0p+0F},
{0x1.7529a6p-111F, -0x1.94p-140F, -0x0p+0F, -0x0p+0F, -0x0p+0F},
{0x1.1a6baep-117F, 0x1.5cp-142F, -0x0p+0F, -0x0p+0F, -0x0p+0F},
{0x1.7941e8p-124F, -0x0p+0F, -0x0p+0F, -0x0p+0F, -0x0p+0F},
{0x1.bcb9cp-131F, 0x0p+0F, 0x0p+0F, 0x0p+0F, 0x0p+0F},
{0x1.ceap-138F, 0x0p+0F, 0x0p+0F, 0x0p+0F, 0x0p+0F},
{0x1.bp-145F, -0x0p+0F, -0x0p+0F, -0x0p+0F, -0x0p+0F},
{0x0p+0F, 0x0p+0F, 0x0p+0F, 0x0p+0F, 0x0p+0F},
{0x0p+0F, 0x0p+0F, 0x0p+0F, 0x0p+0F, 0x0p+0F},
{0x0p+0F, 0x0p+0F, 0x0p+0F, 0x0p+0F, 0x0p+0F},
{0x0p+0F, 0x0p+0F, 0x0p+0F, 0x0p+0F, 0x0p+0F},
{0x0p+0F, 0x0p+0F, 0x0p+0F, 0x0p+0F, 0x0p+0F},
{0x0p+0F, 0x0p+0F, 0x0p+0F, 0x0p+0F, 0x0p+0F},
{0x0p+0F, 0x0p+0F, 0x0p+0F, 0x0p+0F, 0x0p+0F},
{0x0p+0F, 0x0p+0F, 0x0p+0F, 0x0p+0F, 0x0p+0F},
{0x0p+0F, 0x0p+0F, 0x0p+0F, 0x0p+0F, 0x0p+0F},
{0x0p+0F, 0x0p+0F, 0x0p+0F, 0x0p+0F, 0x0p+0F},
{0x0p+0F, 0x0p+0F, 0x0p+0F, 0x0p+0F, 0x0p+0F},
};
    return data[index];
  }
};

}  // namespace mct::tables
// clang-format on
