// FLINT 3: nfloat, numbers of 64-bit words without error bounds, and the balls of Arb with their
// dot product.
#include <mpfr.h>
// before FLINT's headers, which then declare what converts to it
#include <arb.h>
#include <arb_mat.h>
#include <arf.h>
#include <gr.h>
#include <gr_mat.h>
#include <nfloat.h>

#include "bench/today/today.hpp"

namespace mct::bench {
namespace {

namespace on = arithmetic;

/// A floating-point number of FLINT for the life of the object.
class Arf {
 public:
  Arf() { arf_init(value_); }
  ~Arf() { arf_clear(value_); }
  Arf(const Arf&) = delete;
  Arf& operator=(const Arf&) = delete;
  arf_ptr get() { return value_; }
  template <int N>
  void set_rounded(const Expansion<double, N>& x, slong bits) {
    Arf term;
    arf_zero(value_);
    for (const double limb : x.limb) {
      arf_set_d(term.get(), limb);
      arf_add(value_, value_, term.get(), ARF_PREC_EXACT, ARF_RND_DOWN);
    }
    arf_set_round(value_, value_, bits, ARF_RND_NEAR);
  }

 private:
  arf_t value_;
};

void read_arf(const arf_t x, validation::Real& out) {
  mpfr_set_prec(out.get(), std::max<mpfr_prec_t>(arf_bits(x), 2));
  arf_get_mpfr(out.get(), x, MPFR_RNDN);
}

/// What tells whether FLINT could do it: operands are in every domain here.
void done(int status) { static_cast<void>(status); }

/// Words for N doubles.
template <int N>
struct Nfloat {
  static constexpr slong bits = 64 * N;
  struct Number {
    ulong words[NFLOAT_HEADER_LIMBS + N];
  };
  static gr_ctx_struct* context() {
    struct Made {
      Made() { done(nfloat_ctx_init(context, bits, 0)); }
      gr_ctx_t context;
    };
    static Made made;
    return made.context;
  }

  class Vector {
   public:
    explicit Vector(const std::vector<Expansion<double, N>>& numbers) : numbers_(numbers.size()) {
      Arf exact;
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        nfloat_init(&numbers_[i], context());
        exact.set_rounded(numbers[i], bits);
        done(nfloat_set_arf(&numbers_[i], exact.get(), context()));
      }
    }
    std::size_t size() const { return numbers_.size(); }
    nfloat_ptr operator[](std::size_t i) { return &numbers_[i]; }
    nfloat_srcptr operator[](std::size_t i) const { return &numbers_[i]; }
    /// A view of n x n of them.
    gr_mat_struct matrix(slong n) const {
      gr_mat_struct view = {};
      view.entries = const_cast<Number*>(numbers_.data());
      view.r = view.c = view.stride = n;
      return view;
    }

   private:
    std::vector<Number> numbers_;
  };
  static void read(const Vector& v, std::size_t k, validation::Real& out) {
    Arf exact;
    done(nfloat_get_arf(exact.get(), v[k], context()));
    read_arf(exact.get(), out);
  }

  using R = nfloat_ptr;
  using X = nfloat_srcptr;
  static void apply(on::Add, R r, X a, X b) { done(nfloat_add(r, a, b, made())); }
  static void apply(on::Sub, R r, X a, X b) { done(nfloat_sub(r, a, b, made())); }
  static void apply(on::Mul, R r, X a, X b) { done(nfloat_mul(r, a, b, made())); }
  static void apply(on::Div, R r, X a, X b) { done(nfloat_div(r, a, b, made())); }
  static void apply(on::Sqrt, R r, X a, X) { done(nfloat_sqrt(r, a, made())); }
  static void apply(on::Exp, R r, X a, X) { done(nfloat_exp(r, a, made())); }
  static void apply(on::Log, R r, X a, X) { done(nfloat_log(r, a, made())); }
  static void apply(on::Sin, R r, X a, X) { done(nfloat_sin(r, a, made())); }
  static void dot(const Vector& x, const Vector& y, Vector& r) {
    done(_nfloat_vec_dot(r[0], nullptr, 0, x[0], y[0], slong(x.size()), made()));
  }
  static void mm(const Vector& a, const Vector& b, Vector& c, std::size_t n) {
    const gr_mat_struct left = a.matrix(slong(n)), right = b.matrix(slong(n));
    gr_mat_struct product = c.matrix(slong(n));
    done(nfloat_mat_mul(&product, &left, &right, made()));
  }

 private:
  static gr_ctx_struct* made() {
    static gr_ctx_struct* const context_made = context();
    return context_made;
  }
};

/// Balls with the bits of N doubles.
template <int N>
struct Balls {
  static constexpr slong bits = 53 * N;

  class Vector {
   public:
    explicit Vector(const std::vector<Expansion<double, N>>& numbers)
        : size_(numbers.size()), balls_(_arb_vec_init(slong(size_))) {
      Arf exact;
      for (std::size_t i = 0; i < size_; ++i) {
        exact.set_rounded(numbers[i], bits);
        arb_set_arf(balls_ + i, exact.get());
      }
    }
    ~Vector() { _arb_vec_clear(balls_, slong(size_)); }
    Vector(const Vector&) = delete;
    Vector& operator=(const Vector&) = delete;
    std::size_t size() const { return size_; }
    arb_ptr operator[](std::size_t i) { return balls_ + i; }
    arb_srcptr operator[](std::size_t i) const { return balls_ + i; }
    arb_mat_struct matrix(slong n) const {
      arb_mat_struct view = {};
      view.entries = balls_;
      view.r = view.c = view.stride = n;
      return view;
    }

   private:
    std::size_t size_;
    arb_ptr balls_;
  };
  static void read(const Vector& v, std::size_t k, validation::Real& out) {
    read_arf(arb_midref(v[k]), out);
  }

  using R = arb_ptr;
  using X = arb_srcptr;
  static void apply(on::Add, R r, X a, X b) { arb_add(r, a, b, bits); }
  static void apply(on::Sub, R r, X a, X b) { arb_sub(r, a, b, bits); }
  static void apply(on::Mul, R r, X a, X b) { arb_mul(r, a, b, bits); }
  static void apply(on::Div, R r, X a, X b) { arb_div(r, a, b, bits); }
  static void apply(on::Sqrt, R r, X a, X) { arb_sqrt(r, a, bits); }
  static void apply(on::Exp, R r, X a, X) { arb_exp(r, a, bits); }
  static void apply(on::Log, R r, X a, X) { arb_log(r, a, bits); }
  static void apply(on::Sin, R r, X a, X) { arb_sin(r, a, bits); }
  static void dot(const Vector& x, const Vector& y, Vector& r) {
    arb_dot(r[0], nullptr, 0, x[0], 1, y[0], 1, slong(x.size()), bits);
  }
  static void mm(const Vector& a, const Vector& b, Vector& c, std::size_t n) {
    const arb_mat_struct left = a.matrix(slong(n)), right = b.matrix(slong(n));
    arb_mat_struct product = c.matrix(slong(n));
    arb_mat_mul(&product, &left, &right, bits);
  }
};

template <int N>
void enter(std::vector<Case>& cases) {
  on::enter_all<N, Nfloat<N>>(cases, "nfloat " + std::to_string(Nfloat<N>::bits));
  on::enter_all<N, Balls<N>>(cases, "Arb " + std::to_string(Balls<N>::bits));
}

}  // namespace

void add_flint(std::vector<Case>& cases) {
  enter<2>(cases);
  enter<3>(cases);
  enter<4>(cases);
}

}  // namespace mct::bench
