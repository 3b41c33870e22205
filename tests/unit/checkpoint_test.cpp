// A checkpoint gives back what it was given, bit for bit, and nothing else: every byte of it counts.

#include "framework/error.hpp"
#include "postprocess/checkpoint_file.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <unistd.h>

using namespace clarke;

BOOST_AUTO_TEST_SUITE(checkpoint)

namespace {

struct Scratch {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("clarke_checkpoint_" + std::to_string(getpid()) + ".hdf5");
  ~Scratch() { std::filesystem::remove(path); }
};

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

struct Owner {
  double real = 0.1, infinite = -std::numeric_limits<double>::infinity(), denormal = 5e-324;
  long whole = -(1L << 62);
  bool flag = true;
  std::string text = "a b/c \xc3\xa9";
  std::vector<std::string> none, texts{"", "x", "longer"};
  View<Vec3> vectors{"vectors", 3};
  Buffer<std::uint64_t> ids{"ids"};
  int count = 2;

  void carry_over(StateArchive& archive) {
    archive.real("real", real);
    archive.real("infinite", infinite);
    archive.real("denormal", denormal);
    archive.integer("whole", whole);
    archive.group("a group", [&] {
      archive.flag("flag", flag);
      archive.text("text", text);
      archive.texts("none", none);
      archive.texts("texts", texts);
    });
    archive.view("vectors", vectors);
    archive.buffer("ids", ids, count);
  }
};

StateRecord some_record() {
  Owner owner;
  to_device(std::vector<Vec3>{{1, 2, 3}, {-0.0, 1. / 3, 1e300}, {4, 5, 6}}, owner.vectors);
  to_device(std::vector<std::uint64_t>{~std::uint64_t(0), 7}, owner.ids.resize(2));
  StateArchive archive;
  owner.carry_over(archive);
  return archive.record();
}

}  // namespace

BOOST_AUTO_TEST_CASE(gives_back_every_bit) {
  const Scratch scratch;
  const StateRecord before = some_record();
  write_checkpoint(scratch.path, before, "clarke test");
  const StateRecord after = read_checkpoint(scratch.path);
  BOOST_TEST((before == after));
  Owner other;
  other.real = other.infinite = other.denormal = 0;
  other.whole = other.count = 0;
  other.flag = false;
  other.text.clear();
  other.texts.clear();
  StateArchive archive(after);
  other.carry_over(archive);
  StateArchive again;
  other.carry_over(again);
  BOOST_TEST((again.record() == before));
  BOOST_TEST(std::signbit(std::get<std::vector<double>>(after.at("vectors"))[3]));
  const std::string one = bytes_of(scratch.path);
  write_checkpoint(scratch.path, before, "clarke test");
  BOOST_TEST((bytes_of(scratch.path) == one));
}

BOOST_AUTO_TEST_CASE(every_byte_counts) {
  const Scratch scratch;
  write_checkpoint(scratch.path, some_record(), "clarke test");
  const std::string good = bytes_of(scratch.path);
  const auto refused = [&](const std::string& bytes) {
    std::ofstream(scratch.path, std::ios::binary | std::ios::trunc) << bytes;
    BOOST_CHECK_THROW(read_checkpoint(scratch.path), InputError);
  };
  const std::size_t text = good.find('\0');  // what fills the preface up means nothing
  for (std::size_t at = 0; at < good.size(); at += at < text ? 1 : 97) {
    if (at >= text && at < 512) continue;
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    refused(bad);
  }
  for (const std::size_t size : {std::size_t(0), std::size_t(5), std::size_t(511), std::size_t(512), good.size() - 1})
    refused(good.substr(0, size));
  refused(good + "x");
}

BOOST_AUTO_TEST_CASE(another_model_is_refused_by_name) {
  const StateRecord record = some_record();
  StateArchive archive(record);
  View<Vec3> vectors("vectors", 4);
  BOOST_CHECK_EXCEPTION(archive.view("vectors", vectors), InputError, [](const InputError& error) {
    return std::string(error.what()).find("'vectors' has 3 entries instead of 4") != std::string::npos;
  });
  double value = 0;
  BOOST_CHECK_EXCEPTION(archive.real("missing", value), InputError, [](const InputError& error) {
    return std::string(error.what()).find("'missing' is missing") != std::string::npos;
  });
  BOOST_CHECK_THROW(archive.real("whole", value), InputError);
}

BOOST_AUTO_TEST_SUITE_END()
