// Mathematical constants in limbs.
//
// Generated from MPFR by validation/constants; do not edit.
#pragma once

#include "mctensor/config.hpp"

// clang-format off
namespace mct::tables {

/// log(2).
struct Ln2 {
  static constexpr int count = 1;
  static constexpr int limbs = 5;
  template <class T>
  static constexpr T value[count][limbs] = {};
};
template <>
inline constexpr double Ln2::value<double>[Ln2::count][Ln2::limbs] = {
{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56, 0x1.7b57a079a1934p-111, -0x1.ace93a4ebe5d1p-165, -0x1.23a2a82ea0c24p-219},
};
template <>
inline constexpr float Ln2::value<float>[Ln2::count][Ln2::limbs] = {
{0x1.62e43p-1F, -0x1.05c61p-29F, -0x1.950d88p-54F, 0x1.d9cc02p-79F, -0x1.a12a18p-109F},
};

/// log(2) / 512.
struct Ln2Over512 {
  static constexpr int count = 1;
  static constexpr int limbs = 5;
  template <class T>
  static constexpr T value[count][limbs] = {};
};
template <>
inline constexpr double Ln2Over512::value<double>[Ln2Over512::count][Ln2Over512::limbs] = {
{0x1.62e42fefa39efp-10, 0x1.abc9e3b39803fp-65, 0x1.7b57a079a1934p-120, -0x1.ace93a4ebe5d1p-174, -0x1.23a2a82ea0c24p-228},
};
template <>
inline constexpr float Ln2Over512::value<float>[Ln2Over512::count][Ln2Over512::limbs] = {
{0x1.62e43p-10F, -0x1.05c61p-38F, -0x1.950d88p-63F, 0x1.d9cc02p-88F, -0x1.a12a18p-118F},
};

/// 1 / log(2).
struct Log2E {
  static constexpr int count = 1;
  static constexpr int limbs = 5;
  template <class T>
  static constexpr T value[count][limbs] = {};
};
template <>
inline constexpr double Log2E::value<double>[Log2E::count][Log2E::limbs] = {
{0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56, -0x1.60bb8a5442ab9p-110, -0x1.4b52d3ba6d74dp-166, 0x1.9a342648fbc39p-220},
};
template <>
inline constexpr float Log2E::value<float>[Log2E::count][Log2E::limbs] = {
{0x1.715476p+0F, 0x1.4ae0cp-26F, -0x1.e8883p-52F, 0x1.ffb41ap-77F, 0x1.1d3e88p-103F},
};

/// 1 / log(10).
struct Log10E {
  static constexpr int count = 1;
  static constexpr int limbs = 5;
  template <class T>
  static constexpr T value[count][limbs] = {};
};
template <>
inline constexpr double Log10E::value<double>[Log10E::count][Log10E::limbs] = {
{0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57, 0x1.ee191f71a3012p-112, 0x1.7268808e8fcb5p-167, 0x1.3de3a94f1d509p-223},
};
template <>
inline constexpr float Log10E::value<float>[Log10E::count][Log10E::limbs] = {
{0x1.bcb7b2p-2F, -0x1.5b235ep-27F, -0x1.cd5954p-54F, -0x1.155414p-79F, -0x1.6611e6p-104F},
};

/// pi.
struct Pi {
  static constexpr int count = 1;
  static constexpr int limbs = 5;
  template <class T>
  static constexpr T value[count][limbs] = {};
};
template <>
inline constexpr double Pi::value<double>[Pi::count][Pi::limbs] = {
{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53, -0x1.f1976b7ed8fbcp-109, 0x1.4cf98e804177dp-163, 0x1.31d89cd9128a5p-217},
};
template <>
inline constexpr float Pi::value<float>[Pi::count][Pi::limbs] = {
{0x1.921fb6p+1F, -0x1.777a5cp-24F, -0x1.ee59dap-49F, 0x1.98a2ep-76F, 0x1.b839a2p-103F},
};

/// pi / 2.
struct HalfPi {
  static constexpr int count = 1;
  static constexpr int limbs = 5;
  template <class T>
  static constexpr T value[count][limbs] = {};
};
template <>
inline constexpr double HalfPi::value<double>[HalfPi::count][HalfPi::limbs] = {
{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110, 0x1.4cf98e804177dp-164, 0x1.31d89cd9128a5p-218},
};
template <>
inline constexpr float HalfPi::value<float>[HalfPi::count][HalfPi::limbs] = {
{0x1.921fb6p+0F, -0x1.777a5cp-25F, -0x1.ee59dap-50F, 0x1.98a2ep-77F, 0x1.b839a2p-104F},
};

/// pi / 64.
struct PiOver64 {
  static constexpr int count = 1;
  static constexpr int limbs = 5;
  template <class T>
  static constexpr T value[count][limbs] = {};
};
template <>
inline constexpr double PiOver64::value<double>[PiOver64::count][PiOver64::limbs] = {
{0x1.921fb54442d18p-5, 0x1.1a62633145c07p-59, -0x1.f1976b7ed8fbcp-115, 0x1.4cf98e804177dp-169, 0x1.31d89cd9128a5p-223},
};
template <>
inline constexpr float PiOver64::value<float>[PiOver64::count][PiOver64::limbs] = {
{0x1.921fb6p-5F, -0x1.777a5cp-30F, -0x1.ee59dap-55F, 0x1.98a2ep-82F, 0x1.b839a2p-109F},
};

/// 64 / pi.
struct SixtyFourOverPi {
  static constexpr int count = 1;
  static constexpr int limbs = 5;
  template <class T>
  static constexpr T value[count][limbs] = {};
};
template <>
inline constexpr double SixtyFourOverPi::value<double>[SixtyFourOverPi::count][SixtyFourOverPi::limbs] = {
{0x1.45f306dc9c883p+4, -0x1.6b01ec5417056p-50, -0x1.6447e493ad4cep-104, 0x1.e21c820ff28b2p-158, -0x1.508510ea79237p-213},
};
template <>
inline constexpr float SixtyFourOverPi::value<float>[SixtyFourOverPi::count][SixtyFourOverPi::limbs] = {
{0x1.45f306p+4F, 0x1.b9391p-21F, 0x1.529fc2p-47F, 0x1.d5f47ep-73F, -0x1.65912p-98F},
};

/// 1 / pi.
struct InversePi {
  static constexpr int count = 1;
  static constexpr int limbs = 5;
  template <class T>
  static constexpr T value[count][limbs] = {};
};
template <>
inline constexpr double InversePi::value<double>[InversePi::count][InversePi::limbs] = {
{0x1.45f306dc9c883p-2, -0x1.6b01ec5417056p-56, -0x1.6447e493ad4cep-110, 0x1.e21c820ff28b2p-164, -0x1.508510ea79237p-219},
};
template <>
inline constexpr float InversePi::value<float>[InversePi::count][InversePi::limbs] = {
{0x1.45f306p-2F, 0x1.b9391p-27F, 0x1.529fc2p-53F, 0x1.d5f47ep-79F, -0x1.65912p-104F},
};

/// 1 / sqrt(2).
struct InverseSqrt2 {
  static constexpr int count = 1;
  static constexpr int limbs = 5;
  template <class T>
  static constexpr T value[count][limbs] = {};
};
template <>
inline constexpr double InverseSqrt2::value<double>[InverseSqrt2::count][InverseSqrt2::limbs] = {
{0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55, 0x1.57d3e3adec175p-109, 0x1.2775099da2f59p-165, 0x1.60cce64552bf2p-222},
};
template <>
inline constexpr float InverseSqrt2::value<float>[InverseSqrt2::count][InverseSqrt2::limbs] = {
{0x1.6a09e6p-1F, 0x1.9fcef4p-27F, -0x1.b7ba68p-52F, -0x1.3b2646p-79F, 0x1.4abeap-104F},
};

/// log(2 pi) / 2.
struct HalfLogTwoPi {
  static constexpr int count = 1;
  static constexpr int limbs = 5;
  template <class T>
  static constexpr T value[count][limbs] = {};
};
template <>
inline constexpr double HalfLogTwoPi::value<double>[HalfLogTwoPi::count][HalfLogTwoPi::limbs] = {
{0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55, -0x1.b7f70c13dc1ccp-110, 0x1.3458b4ddec6a3p-164, 0x1.33daa155d213p-220},
};
template <>
inline constexpr float HalfLogTwoPi::value<float>[HalfLogTwoPi::count][HalfLogTwoPi::limbs] = {
{0x1.d67f1cp-1F, 0x1.0c97d6p-26F, 0x1.29a4a6p-51F, -0x1.b7ff5ep-79F, 0x1.92023cp-108F},
};

/// e.
struct E {
  static constexpr int count = 1;
  static constexpr int limbs = 5;
  template <class T>
  static constexpr T value[count][limbs] = {};
};
template <>
inline constexpr double E::value<double>[E::count][E::limbs] = {
{0x1.5bf0a8b145769p+1, 0x1.4d57ee2b1013ap-53, -0x1.618713a31d3e2p-109, 0x1.c5a6d2b53c26dp-163, -0x1.f75cde60219b6p-217},
};
template <>
inline constexpr float E::value<float>[E::count][E::limbs] = {
{0x1.5bf0a8p+1F, 0x1.628aeep-24F, -0x1.ab2a82p-49F, 0x1.c56202p-74F, 0x1.cf4f3cp-100F},
};

/// log(10).
struct Ln10 {
  static constexpr int count = 1;
  static constexpr int limbs = 5;
  template <class T>
  static constexpr T value[count][limbs] = {};
};
template <>
inline constexpr double Ln10::value<double>[Ln10::count][Ln10::limbs] = {
{0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53, -0x1.9ebae3ae0260cp-107, -0x1.2d10378be1cf1p-161, 0x1.0403e05ae52c6p-215},
};
template <>
inline constexpr float Ln10::value<float>[Ln10::count][Ln10::limbs] = {
{0x1.26bb1cp+1F, -0x1.12aabap-25F, -0x1.3e915ap-50F, -0x1.253a9p-75F, 0x1.698514p-101F},
};

/// sqrt(2).
struct Sqrt2 {
  static constexpr int count = 1;
  static constexpr int limbs = 5;
  template <class T>
  static constexpr T value[count][limbs] = {};
};
template <>
inline constexpr double Sqrt2::value<double>[Sqrt2::count][Sqrt2::limbs] = {
{0x1.6a09e667f3bcdp+0, -0x1.bdd3413b26456p-54, 0x1.57d3e3adec175p-108, 0x1.2775099da2f59p-164, 0x1.60cce64552bf2p-221},
};
template <>
inline constexpr float Sqrt2::value<float>[Sqrt2::count][Sqrt2::limbs] = {
{0x1.6a09e6p+0F, 0x1.9fcef4p-26F, -0x1.b7ba68p-51F, -0x1.3b2646p-78F, 0x1.4abeap-103F},
};

/// sqrt(3).
struct Sqrt3 {
  static constexpr int count = 1;
  static constexpr int limbs = 5;
  template <class T>
  static constexpr T value[count][limbs] = {};
};
template <>
inline constexpr double Sqrt3::value<double>[Sqrt3::count][Sqrt3::limbs] = {
{0x1.bb67ae8584caap+0, 0x1.cec95d0b5c1e3p-54, -0x1.f11db689f2ccfp-110, 0x1.3da4798c720a6p-164, 0x1.21b9169b89243p-218},
};
template <>
inline constexpr float Sqrt3::value<float>[Sqrt3::count][Sqrt3::limbs] = {
{0x1.bb67aep+0F, 0x1.0b0996p-25F, -0x1.63136ap-50F, -0x1.7a51fp-77F, -0x1.d1f11ep-102F},
};

/// 1 / sqrt(3).
struct InverseSqrt3 {
  static constexpr int count = 1;
  static constexpr int limbs = 5;
  template <class T>
  static constexpr T value[count][limbs] = {};
};
template <>
inline constexpr double InverseSqrt3::value<double>[InverseSqrt3::count][InverseSqrt3::limbs] = {
{0x1.279a74590331cp-1, 0x1.34863e0792bedp-55, -0x1.a82f9e6c53222p-109, -0x1.cb0f41134253ap-163, 0x1.859ed919ec30bp-217},
};
template <>
inline constexpr float InverseSqrt3::value<float>[InverseSqrt3::count][InverseSqrt3::limbs] = {
{0x1.279a74p-1F, 0x1.640cc8p-27F, -0x1.d96f38p-52F, -0x1.f86d42p-79F, 0x1.92be84p-104F},
};

/// 1 / sqrt(pi).
struct InverseSqrtPi {
  static constexpr int count = 1;
  static constexpr int limbs = 5;
  template <class T>
  static constexpr T value[count][limbs] = {};
};
template <>
inline constexpr double InverseSqrtPi::value<double>[InverseSqrtPi::count][InverseSqrtPi::limbs] = {
{0x1.20dd750429b6dp-1, 0x1.1ae3a914fed8p-57, -0x1.3cbbebf65f145p-112, -0x1.e0c574632f53ep-167, -0x1.e6633be9e7f15p-221},
};
template <>
inline constexpr float InverseSqrtPi::value<float>[InverseSqrtPi::count][InverseSqrtPi::limbs] = {
{0x1.20dd76p-1F, -0x1.f7ac92p-26F, -0x1.7728e2p-52F, -0x1.6eb012p-77F, -0x1.004f2ep-102F},
};

/// (1 + sqrt(5)) / 2.
struct GoldenRatio {
  static constexpr int count = 1;
  static constexpr int limbs = 5;
  template <class T>
  static constexpr T value[count][limbs] = {};
};
template <>
inline constexpr double GoldenRatio::value<double>[GoldenRatio::count][GoldenRatio::limbs] = {
{0x1.9e3779b97f4a8p+0, -0x1.f506319fcfd19p-55, 0x1.b906821044ed8p-109, -0x1.8bb1b5c0f272cp-165, 0x1.1d0c18e952768p-220},
};
template <>
inline constexpr float GoldenRatio::value<float>[GoldenRatio::count][GoldenRatio::limbs] = {
{0x1.9e377ap+0F, -0x1.1a02d6p-26F, -0x1.f50632p-55F, 0x1.80c0bap-81F, -0x1.237cbep-108F},
};

/// Euler's constant.
struct EulerGamma {
  static constexpr int count = 1;
  static constexpr int limbs = 5;
  template <class T>
  static constexpr T value[count][limbs] = {};
};
template <>
inline constexpr double EulerGamma::value<double>[EulerGamma::count][EulerGamma::limbs] = {
{0x1.2788cfc6fb619p-1, -0x1.6cb90701fbfabp-58, -0x1.34a95e3133c51p-112, 0x1.9730064300f7dp-166, -0x1.71eca0084e369p-221},
};
template <>
inline constexpr float EulerGamma::value<float>[EulerGamma::count][EulerGamma::limbs] = {
{0x1.2788dp-1F, -0x1.c824f4p-28F, 0x1.e9347p-54F, -0x1.c07efep-80F, -0x1.5a6952p-105F},
};

}  // namespace mct::tables
// clang-format on
