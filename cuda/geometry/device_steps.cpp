#include <cstring>

#include "cuda/device/run.hpp"
#include "cuda/geometry/point_program.hpp"
#include "mctensor/geometry/device_points.hpp"
#include "src/geometry/programs/program.hpp"

namespace mct::cuda {
namespace {

using mct::geometry_detail::Program;

static_assert(PointProgram::threads == point_step_threads &&
              PointProgram::scratch_base == Program::scratch_base &&
              PointProgram::result_base == Program::gradient_base &&
              PointProgram::results == most_point_results &&
              PointProgram::scratch_base == 2 * most_point_operands + 2);

PointStep::Place place_of(const Program::Place& place) {
  return {place.base, std::int32_t(place.offset / mct::geometry_detail::block)};
}
PointStep step_of(const Program::Instruction& instruction) {
  PointStep step{};
  step.step = std::int32_t(instruction.step);
  step.rows = instruction.rows;
  step.out = place_of(instruction.out);
  step.low = place_of(instruction.low);
  for (std::size_t k = 0; k < instruction.in.size(); ++k) {
    step.in[k] = place_of(instruction.in[k]);
    if (instruction.in[k].step != 0) step.vectors |= 1 << k;
  }
  return step;
}

const Program* program_of(const PointTask& task) {
  return Program::in_rows(
      {task.model, task.operation, task.to, task.cones, task.cone_operation, task.curvature_sign},
      task.coordinates, task.wanted, task.given, task.digits);
}

}  // namespace

std::optional<PointSteps> steps_on_points(const PointTask& task) {
  const Program* const program = program_of(task);
  if (program == nullptr) return std::nullopt;
  const auto& instructions = program->instructions();
  const auto& constants = program->constants();
  PointSteps to;
  to.steps = int(instructions.size());
  to.constants = int(constants.size());
  to.rows = int(program->scratch() / mct::geometry_detail::block);
  to.bytes.resize(instructions.size() * sizeof(PointStep) +
                  constants.size() * sizeof(PointConstant));
  std::uint8_t* at = to.bytes.data();
  const auto put = [&](const auto& what) {
    std::memcpy(at, &what, sizeof what);
    at += sizeof what;
  };
  for (const auto& instruction : instructions) put(step_of(instruction));
  for (const auto& [offset, value] : constants)
    put(PointConstant{value, std::int64_t(offset / mct::geometry_detail::block)});
  return to;
}

void start_steps(const PointRun& of, const Stream& stream) {
  const auto* const steps = static_cast<const PointStep*>(of.bytes);
  PointProgram program{steps,        reinterpret_cast<const PointConstant*>(steps + of.of->steps),
                       of.of->steps, of.of->constants,
                       of.radius,    Program::radius_at / mct::geometry_detail::block,
                       {},           {},
                       of.scratch,   of.left,
                       of.count};
  for (int k = 0; k < PointProgram::scratch_base; ++k) program.in[k] = {of.in[k], of.widths[k]};
  for (int k = 0; k < PointProgram::results; ++k) program.out[k] = {of.out[k], of.out_widths[k]};
  if (of.count > 0) run(program, {of.blocks}, stream);
}

}  // namespace mct::cuda
