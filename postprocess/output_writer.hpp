#pragma once
// The output directory of one run: frames for viewers, tables of the steps and the Newton iterations, one summary.
//
//   bodies.pvd    bodies_000000.vtp ...      surfaces                       postprocess/vtk_frames.hpp
//                 surfaces.vtp               theirs once, where the frames hold poses only
//   contacts.pvd  contacts_000000.vtp ...    contact points and forces      when selected
//   particles.pvd particles_000000.vtp ...   when there are particles
//   joints.pvd    joints_000000.vtp ...      when there are joints
//   steps.csv newton.csv                     rows as they come              postprocess/csv_records.hpp
//   linear.csv                               same, of the linear iterations, with -output_linear
//   sensors.csv                              same, when there are sensors
//   summary.json                             at the end of the run          postprocess/run_summary.hpp
//   checkpoint.hdf5                          from time to time              postprocess/checkpoint_file.hpp
//
// The number in a file name is Frame::index. Everything but the tables is written whole or not at all, the tables grow
// by whole rows: a run may be watched, and stopped at any time. Equal runs give equal bytes except for the measured
// seconds. One writer per directory at a time: it is locked (postprocess/directory_lock.hpp). A .pvd is rewritten
// whole, some 80 bytes per frame: with each of the first 256 frames, then ever more rarely, and at the end.
//
// A run that continues from a checkpoint goes on with the tables and lists of the directory, cut back to what they held
// when the checkpoint was written. In a directory without them they begin where the run does.

#include "framework/frame.hpp"
#include "framework/report.hpp"
#include "postprocess/directory_lock.hpp"
#include "postprocess/output_selection.hpp"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace clarke {

class RecordFile;
class RunSummary;
class StateArchive;

class OutputWriter {
 public:
  /// Creates the directory and removes what an earlier run wrote there: files with the names above and no others. The
  /// bodies of the frames refer to `surfaces`; `provenance` goes into the summary as it is. Throws InputError with the
  /// path and the reason when the directory cannot be created or written to. `sensors` names the columns of
  /// sensors.csv. `continued`: what carry_over() has written in the run that is continued, or null.
  OutputWriter(std::string directory, std::string case_name, std::vector<Surface> surfaces, nlohmann::json provenance,
               const std::vector<std::string>& sensors = {}, OutputSelection selection = {},
               StateArchive* continued = nullptr);
  ~OutputWriter();
  OutputWriter(const OutputWriter&) = delete;
  OutputWriter& operator=(const OutputWriter&) = delete;

  // The following throw std::runtime_error with the path and the reason when the disk is full or the directory gone;
  // then nothing of that frame or summary is left, and each table still ends with a whole row.

  /// Writes the files of one frame and the .pvd files that list it. It replaces an earlier frame with the same index.
  /// `kept` false: a run that continues does without it, because it is there only for being the last.
  void write_frame(const Frame& frame, bool kept = true);

  /// Adds the rows of one step. Throws StepError when the step was accepted with a figure that is not a finite number.
  void write_step(const StepReport& report);

  /// Adds a row to sensors.csv. Throws std::logic_error unless there is one value for each sensor.
  void write_sensors(int step, double time, const std::vector<double>& values);

  /// Writes summary.json. `extra` is an object with what only the caller knows: dt, bodies, particles, tetrahedra,
  /// joints, expectations, measured seconds_total, ... It overrides keys gathered from the steps.
  void write_summary(const nlohmann::json& extra);

  /// Adds a row to conditioning.csv; `columns` are its header.
  void write_conditioning(const std::vector<std::string>& columns, const std::vector<std::string>& cells);

  /// How far tables and lists are, and the summary, for checkpoints; writing waits until the device has the tables.
  void carry_over(StateArchive& archive);
  /// <directory>/checkpoint.hdf5
  std::filesystem::path checkpoint_path() const { return directory_ / "checkpoint.hdf5"; }
  bool locked() const { return lock_->held(); }

 private:
  void write_pvd(const std::string& series);
  /// Those that lack the latest frames.
  void write_lists();
  /// The table of this name: a new one, or the one that is continued.
  std::unique_ptr<RecordFile> open_table(const std::string& name, const std::string& header) const;
  void continue_from(StateArchive& archive);

  std::filesystem::path directory_;
  std::vector<Surface> surfaces_;
  std::unique_ptr<RunSummary> summary_;
  std::size_t sensor_count_ = 0;
  OutputSelection selection_;
  std::unique_ptr<DirectoryLock> lock_;
  std::map<std::string, long long> sizes_;  // [byte] of tables that are continued, by file name
  std::unique_ptr<RecordFile> steps_, newton_, linear_, sensors_, conditioning_;  // the last three: only when there is
                                                                                  // something
  bool lists_are_old_ = false;
  std::map<std::string, std::map<int, double>> times_;  // series -> frame index -> time [s]
  int passing_ = -1;                                    // index of the frame that is not kept
};

}  // namespace clarke
