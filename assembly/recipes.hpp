#pragma once
// Recipes: named sets of solver options in files, as PETSc's -options_file reads them (a line: -name value # comment).
//
// NAME stands for NAME.options among the files that come with the program (linear/recipes/, installed in
// share/clarke/recipes); a path stands for itself. A recipe changes how a step is solved, never what is solved.

#include <string>
#include <utility>
#include <vector>

namespace clarke {

struct Recipe {
  std::string name, file;
  struct Option {
    std::string name, value;  // without '-'; "" where none is given
    int line;
  };
  std::vector<Option> options;
};

/// Throws InputError: unknown name (with the nearest one), unreadable file, a line that is no option.
Recipe read_recipe(const std::string& name);
/// Those that come with the program.
std::vector<std::string> recipe_names();

/// A recipe's options are in the database, over what was there, during the life of this object; afterwards it is as
/// before.
class ScopedRecipe {
 public:
  explicit ScopedRecipe(const Recipe& recipe);
  ~ScopedRecipe();
  ScopedRecipe(const ScopedRecipe&) = delete;
  ScopedRecipe& operator=(const ScopedRecipe&) = delete;
  /// Options that nobody has read so far.
  std::vector<Recipe::Option> unread() const;

 private:
  struct Saved {
    std::string name, value;
    bool given, read;
  };
  std::vector<Saved> saved_;
  const Recipe& recipe_;
};

}  // namespace clarke
