#include "read/json_number.h"

#include <algorithm>

namespace espalier::read {

std::shared_ptr<fun::Expr> json_number(const Reading& reading, const Json& json) {
  auto out = fun::make(fun::Expr::Kind::number, reading.file->loc(json));
  out->number = json.number();
  if (json.is(Json::Kind::boolean)) {
    out->number_text = json.boolean() ? "true" : "false";
    out->type = fun::scalar(Dtype::boolean);
  } else {
    out->number_text = reading.file->raw(json);
  }
  return out;
}

bool numbers_only(const Json& json) {
  const auto fits = [](const Json& item) {
    return item.is(Json::Kind::number) || item.is(Json::Kind::boolean) ||
           (item.is(Json::Kind::array) && numbers_only(item));
  };
  return !json.items().empty() && std::all_of(json.items().begin(), json.items().end(), fits);
}

}  // namespace espalier::read
