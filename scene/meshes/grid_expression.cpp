#include "scene/meshes/grid_expression.hpp"

#include "framework/error.hpp"

#include <muParser.h>
#include <numbers>

namespace clarke {

std::vector<double> sample_expression(const std::string& text, const GridAxis& x, const GridAxis& y) {
  double at_x = 0, at_y = 0;
  std::vector<double> out;
  mu::Parser parser;
  try {
    parser.DefineConst("pi", std::numbers::pi);
    parser.DefineVar(x.name, &at_x);
    parser.DefineVar(y.name, &at_y);
    parser.SetExpr(text);
    for (int j = 0; j < y.count; ++j)
      for (int i = 0; i < x.count; ++i) {
        at_x = x.first + i * x.spacing;
        at_y = y.first + j * y.spacing;
        out.push_back(parser.Eval());
      }
  } catch (const mu::Parser::exception_type& error) {
    throw InputError("cannot evaluate '" + text + "' of " + x.name + " and " + y.name + ": " + error.GetMsg());
  }
  return out;
}

}  // namespace clarke
