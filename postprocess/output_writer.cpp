#include "postprocess/output_writer.hpp"

#include "framework/error.hpp"
#include "framework/state_archive.hpp"
#include "postprocess/atomic_file.hpp"
#include "postprocess/csv_records.hpp"
#include "postprocess/run_summary.hpp"
#include "postprocess/vtk_frames.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

namespace clarke {
namespace {

namespace fs = std::filesystem;

/// Up to so many frames the lists are written with each; then about kListsPerRun times while their number doubles.
constexpr std::size_t kFewFrames = 256, kListsPerRun = 64;

/// bodies_000012.vtp, soft_000012.vtu
std::string frame_file(const std::string& series, int index) {
  std::string number = std::to_string(index);
  if (number.size() < 6) number.insert(0, 6 - number.size(), '0');
  return series + '_' + number + (series == "soft" ? ".vtu" : ".vtp");
}

/// Particles that are not shown as nodes of a soft body.
bool has_free_particles(const Frame& frame) {
  return std::any_of(frame.particles.begin(), frame.particles.end(), [](const FrameParticle& p) { return !p.node; });
}

/// Takes `suffix` off the end of `name` if it is there.
bool cut_suffix(std::string_view& name, std::string_view suffix) {
  if (!name.ends_with(suffix)) return false;
  name.remove_suffix(suffix.size());
  return true;
}

/// Whether a file of this name is one that a run writes, finished or not: exactly the names in the header, no others.
bool is_output_name(std::string_view name) {
  cut_suffix(name, kPartialSuffix);
  if (name == "steps.csv" || name == "newton.csv" || name == "linear.csv" || name == "sensors.csv" ||
      name == "conditioning.csv" || name == "summary.json" || name == "surfaces.vtp" || name == "checkpoint.hdf5")
    return true;
  const bool list = cut_suffix(name, ".pvd");
  const bool grid = !list && cut_suffix(name, ".vtu");
  if (!list && !grid && !cut_suffix(name, ".vtp")) return false;
  for (const std::string_view series : {"bodies", "contacts", "particles", "joints", "soft"}) {
    if (!name.starts_with(series) || (!list && grid != (series == "soft"))) continue;
    name.remove_prefix(series.size());
    if (list) return name.empty();
    return name.size() >= 7 && name[0] == '_' && name.find_first_not_of("0123456789", 1) == std::string_view::npos;
  }
  return false;
}

/// Whether a file of this name in `problems` is a captured step: "box_pile-step000012-c345.hdf5", "…-c345-local.hdf5".
bool is_problem_name(std::string_view name) {
  cut_suffix(name, kPartialSuffix);
  if (!cut_suffix(name, ".hdf5")) return false;
  cut_suffix(name, "-local");
  const auto cut_number = [&name](std::string_view before) {
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    const bool any = digits < name.size();
    name = name.substr(0, digits);
    return any && cut_suffix(name, before);
  };
  return cut_number("-c") && cut_number("-step");
}

/// Whether a file of this name was being written when its run ended.
bool is_partial(std::string_view name) { return name.ends_with(kPartialSuffix); }

/// Removes what an earlier run left, also one that was interrupted while writing. Directories are never removed.
/// `leave`: names that stay.
void remove_earlier_run(const fs::path& directory, const std::set<std::string>& leave = {}) {
  std::vector<fs::path> found;  // first collect: a directory should not change under its iterator
  const auto collect = [&found](const fs::path& from, bool (*ours)(std::string_view)) {
    for (const fs::directory_entry& entry : fs::directory_iterator(from))
      if (ours(entry.path().filename().string()) && entry.symlink_status().type() != fs::file_type::directory)
        found.push_back(entry.path());
  };
  collect(directory, is_output_name);
  if (fs::is_directory(directory / "problems")) collect(directory / "problems", is_problem_name);
  for (const fs::path& path : found)
    if (is_partial(path.string()) || !leave.count(path.filename().string())) fs::remove(path);
}

}  // namespace

OutputWriter::OutputWriter(std::string directory, std::string case_name, std::vector<Surface> surfaces,
                           nlohmann::json provenance, const std::vector<std::string>& sensors,
                           OutputSelection selection, StateArchive* continued)
    : directory_(std::move(directory)),
      surfaces_(std::move(surfaces)),
      summary_(std::make_unique<RunSummary>(std::move(case_name), std::move(provenance))),
      sensor_count_(sensors.size()),
      selection_(std::move(selection)) {
  check_surfaces(surfaces_);
  try {
    fs::create_directories(directory_);
    lock_ = std::make_unique<DirectoryLock>(directory_);
    if (continued)
      continue_from(*continued);
    else
      remove_earlier_run(directory_);
    steps_ = open_table("steps.csv", csv_header(step_columns()));
    newton_ = open_table("newton.csv", csv_header(newton_columns()));
    if (sizes_.count("linear.csv")) linear_ = open_table("linear.csv", csv_header(linear_columns()));
    if (!sensors.empty()) sensors_ = open_table("sensors.csv", csv_header(sensor_columns(sensors)));
  } catch (const fs::filesystem_error& error) {
    throw InputError("output directory " + directory_.string() + ": " + error.code().message());
  } catch (const InputError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw InputError("output directory " + directory_.string() + ": " + error.what());
  }
}

std::unique_ptr<RecordFile> OutputWriter::open_table(const std::string& name, const std::string& header) const {
  const auto size = sizes_.find(name);
  if (size == sizes_.end()) return std::make_unique<RecordFile>(directory_ / name, header);
  return std::make_unique<RecordFile>(directory_ / name, header, size->second);
}

/// Takes back what was written after the checkpoint, and what was not finished.
void OutputWriter::continue_from(StateArchive& archive) {
  carry_over(archive);
  std::set<std::string> leave{"surfaces.vtp", "checkpoint.hdf5"};
  for (auto table = sizes_.begin(); table != sizes_.end();) {
    leave.insert(table->first);
    table = fs::exists(directory_ / table->first) ? std::next(table) : sizes_.erase(table);
  }
  for (auto& [series, times] : times_)
    for (auto frame = times.begin(); frame != times.end();) {
      const std::string file = frame_file(series, frame->first);
      leave.insert(file);
      frame = fs::exists(directory_ / file) ? std::next(frame) : times.erase(frame);
    }
  // Captured steps stay: they are of the part that was done.
  remove_earlier_run(directory_, leave);
  for (const auto& [series, times] : times_)
    if (!times.empty()) write_pvd(series);
}

void OutputWriter::carry_over(StateArchive& archive) {
  const std::pair<const char*, const RecordFile*> tables[] = {{"steps.csv", steps_.get()},
                                                              {"newton.csv", newton_.get()},
                                                              {"linear.csv", linear_.get()},
                                                              {"sensors.csv", sensors_.get()},
                                                              {"conditioning.csv", conditioning_.get()}};
  for (const auto& [name, table] : tables) {
    long size = table ? static_cast<long>(table->size()) : -1;
    archive.integer(std::string("tables/") + name, size);
    if (archive.reading() && size >= 0) sizes_[name] = size;
    if (!archive.reading() && table) table->synchronise();
  }
  std::vector<std::string> names;
  for (const auto& [series, times] : times_) names.push_back(series);
  archive.texts("series", names);
  for (const std::string& series : names) {
    std::vector<std::int64_t> indices;
    std::vector<double> times;
    for (const auto& [index, time] : times_[series])
      if (index != passing_) indices.push_back(index), times.push_back(time);
    archive.integers("frames/" + series + "/index", indices);
    archive.reals("frames/" + series + "/time", times);
    if (!archive.reading()) continue;
    for (std::size_t i = 0; i < std::min(indices.size(), times.size()); ++i)
      times_[series][static_cast<int>(indices[i])] = times[i];
  }
  archive.group("summary", [&] { summary_->carry_over(archive); });
}

OutputWriter::~OutputWriter() {
  try {
    write_lists();
  } catch (const std::exception&) {}  // who reports it is gone; the frames are there
}

void OutputWriter::write_lists() {
  if (!lists_are_old_) return;
  for (const auto& [series, times] : times_) write_pvd(series);
  lists_are_old_ = false;
}

void OutputWriter::write_frame(const Frame& frame, bool kept) {
  if (!kept) passing_ = frame.index;
  // All contents are built before the first file is touched: most failures happen here.
  std::map<std::string, std::string> contents;  // series -> content of its .vtp
  contents["bodies"] = selection_.poses ? poses_vtp(frame, selection_) : bodies_vtp(frame, surfaces_, selection_);
  if (has_free_particles(frame)) contents["particles"] = particles_vtp(frame, selection_);
  if (!frame.softs.empty()) contents["soft"] = soft_vtu(frame, selection_);
  if (!frame.joints.empty()) contents["joints"] = joints_vtp(frame, selection_);
  if (selection_.contacts) contents["contacts"] = contacts_vtp(frame, selection_);
  try {
    if (selection_.poses && times_["bodies"].empty())
      write_whole_file(directory_ / "surfaces.vtp", surfaces_vtp(surfaces_));
    for (const auto& [series, content] : contents)
      write_whole_file(directory_ / frame_file(series, frame.index), content);
    for (const auto& [series, content] : contents) times_[series][frame.index] = frame.time;
    // A list grows with every frame: written whole each time, long runs would spend their time on lists.
    const std::size_t frames = times_["bodies"].size();
    lists_are_old_ = frames >= kFewFrames && frames % (frames / kListsPerRun) != 0;
    if (!lists_are_old_)
      for (const auto& [series, content] : contents) write_pvd(series);
  } catch (...) {
    // Half a frame is worse than none. The lists that already name it are written anew as far as the disk allows:
    // they are shorter than before.
    for (const auto& [series, content] : contents) {
      std::error_code ignored;
      fs::remove(directory_ / frame_file(series, frame.index), ignored);
      if (times_[series].erase(frame.index) == 0) continue;
      try {
        write_pvd(series);
      } catch (const std::runtime_error&) {}
    }
    throw;
  }
}

void OutputWriter::write_pvd(const std::string& series) {
  std::vector<std::pair<double, std::string>> frames;
  for (const auto& [index, time] : times_[series]) frames.emplace_back(time, frame_file(series, index));
  write_whole_file(directory_ / (series + ".pvd"), pvd(frames));
}

void OutputWriter::write_step(const StepReport& report) {
  std::string rows;
  for (const NewtonIteration& iteration : report.newton) rows += newton_row(iteration);
  newton_->append(rows);
  if (!report.linear.empty() && !linear_) linear_ = open_table("linear.csv", csv_header(linear_columns()));
  rows.clear();
  for (const LinearIteration& iteration : report.linear) rows += linear_row(iteration);
  if (linear_) linear_->append(rows);
  steps_->append(step_row(report));
  summary_->add(report);
}

void OutputWriter::write_sensors(int step, double time, const std::vector<double>& values) {
  if (!sensors_ || values.size() != sensor_count_)
    throw std::logic_error("sensors.csv: " + std::to_string(values.size()) + " values for " +
                           std::to_string(sensor_count_) + " sensors");
  sensors_->append(sensor_row(step, time, values));
}

void OutputWriter::write_conditioning(const std::vector<std::string>& columns, const std::vector<std::string>& cells) {
  if (!conditioning_) conditioning_ = open_table("conditioning.csv", text_row(columns));
  conditioning_->append(text_row(cells));
}

void OutputWriter::write_summary(const nlohmann::json& extra) {
  write_lists();
  write_whole_file(directory_ / "summary.json", json_text(summary_->document(extra)));
}

}  // namespace clarke
