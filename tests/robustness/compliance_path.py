#!/usr/bin/python3
"""The path of solutions as compliance falls: a study of steps that no proximal iteration solves (docs/verification/tried.md).

Usage: compliance_path.py FILE.hdf5 ... [--least 1e-7] [--solves 8000]

FILE is a captured step (clarke run SCENE -capture_step N). With a compliance eps w_i in every row, from rest impulses of zero, the
step has one solution where eps is large; from there the curve of solutions (u, ln eps) is followed by arc length to eps = least:

  g(u, eps) = u - u~ - J' p(v(u), eps) = 0,   p(v) Coulomb's law at v + (eps w + E) p, velocities in units of the root of M

p is smooth but for pieces: a contact is open, sticks or slides, a bounded row is at a bound or not. Predictor along the tangent,
corrector by Newton's iteration with the pieces held; where a row leaves its piece the place is found by secants, the row changes
its piece, and the direction is the one that leads into the new piece. So the path may turn back in eps. Dense; for small problems.

Prints per file how it ended, linear solves, changes of piece, turns, the last eps, and the velocity error there [m/s].
"""

import argparse
import pathlib
import sys

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from problem_files import read_matrix  # noqa: E402

OPEN, STICKS, SLIDES = 0, 1, 2
ROUNDING = 1e-13  # of the velocities that a margin is a difference of: it has not left its piece
SOLVED, UNIT_ROUNDING = 1e-11, 1e-15  # |g| on the path, over the size of u; and of g, which divides by eps
ASTRAY = 1.5  # times the length of a step: what the corrector may end at, further away is another branch
SHORTEST, NEAR = 1e-10, 1e-3  # step that no corrector needs to be shorter than; how far a kink that stops it may be
LONGEST = 2.0  # step, of ln eps mostly


class Problem:
    """M = 1 by a change of variables; contacts of three rows (v = J u + w) and bounded rows (G u + b)."""

    def __init__(self, name):
        with h5py.File(name) as file:
            if "fclib_global" not in file:
                raise SystemExit(f"compliance_path.py: {name}: expected a problem in global form (fclib_global), as -capture_step writes")
            group = file["fclib_global"]

            def number(key, count, value):
                return file[f"clarke/{key}"][()] if f"clarke/{key}" in file else np.full(count, value)

            root = np.linalg.inv(np.linalg.cholesky(read_matrix(group["M"])))
            self.w, self.mu = group["vectors/w"][()], group["vectors/mu"][()]
            self.contacts = len(self.mu)
            self.J = read_matrix(group["H"]).T @ root.T
            self.G = read_matrix(group["G"]).T @ root.T if "G" in group else np.zeros((0, self.J.shape[1]))
            self.b = group["vectors/b"][()] if "G" in group else np.zeros(0)
            bounded = len(self.b)
            self.lower, self.upper = number("joint_lower", bounded, -np.inf), number("joint_upper", bounded, np.inf)
            self.E = number("contact_compliance", 3 * self.contacts, 0.0).reshape(-1, 3)
            self.E_bounded = number("joint_compliance", bounded, 0.0)
            self.free = root @ group["vectors/f"][()]  # u~
        self.rows = self.J.reshape(self.contacts, 3, -1)
        self.weight, self.weight_bounded = np.sum(self.rows**2, axis=(1, 2)) / 3, np.sum(self.G**2, axis=1)

    def error(self, r, bounded):
        """Largest natural map at u(r) [m/s], friction on the disc."""
        u = self.free + self.J.T @ r + self.G.T @ bounded
        v, R = (self.J @ u + self.w).reshape(-1, 3) + self.E * r.reshape(-1, 3), r.reshape(-1, 3)
        normal = np.abs(R[:, 0] - np.maximum(R[:, 0] - v[:, 0] / self.weight, 0)) * self.weight
        z, radius = R[:, 1:] - v[:, 1:] / self.weight[:, None], self.mu * np.maximum(R[:, 0], 0)
        size = np.linalg.norm(z, axis=1)
        keep = np.where(size > radius, radius / np.maximum(size, 1e-300), 1)
        friction = np.linalg.norm(R[:, 1:] - z * keep[:, None], axis=1) * self.weight
        v_bounded = self.G @ u + self.b + self.E_bounded * bounded
        at = np.clip(bounded - v_bounded / self.weight_bounded, self.lower, self.upper)
        return max(normal.max(), friction.max(), np.max(np.abs(bounded - at) * self.weight_bounded, initial=0))


class Path:
    def __init__(self, problem, most):
        self.problem, self.most = problem, most
        self.solves = self.changes = self.turns = 0
        self.pieces = None  # of contacts, and of bounded rows: -1, 0, 1

    def scale(self, log_eps):
        p, eps = self.problem, np.exp(log_eps)
        normal = eps * p.weight + p.E[:, 0]
        tangential = eps * p.weight + np.maximum(p.E[:, 1], p.E[:, 2])
        return np.stack([normal, tangential, tangential], 1), eps * p.weight_bounded + p.E_bounded

    def impulses(self, u, log_eps):
        """z = -v/c, of which p is the projection."""
        p = self.problem
        c, c_bounded = self.scale(log_eps)
        return -(p.J @ u + p.w).reshape(-1, 3) / c, -(p.G @ u + p.b) / c_bounded

    def pieces_at(self, u, log_eps):
        z, y = self.impulses(u, log_eps)
        slip = np.linalg.norm(z[:, 1:], axis=1)
        contacts = np.where(z[:, 0] <= 0, OPEN, np.where(slip <= self.problem.mu * z[:, 0], STICKS, SLIDES))
        return contacts, np.where(y < self.problem.lower, -1, np.where(y > self.problem.upper, 1, 0))

    def evaluate(self, u, log_eps):
        """g, H = dg/du, dg/d ln eps and p, z of contacts and bounded rows, pieces held."""
        p, (contacts, bounded) = self.problem, self.pieces
        c, c_bounded = self.scale(log_eps)
        z, y = self.impulses(u, log_eps)
        D, impulse = np.zeros((p.contacts, 3, 3)), np.zeros_like(z)
        sticks, slides = contacts == STICKS, contacts == SLIDES
        impulse[sticks], D[sticks] = z[sticks], np.eye(3)
        at, mu = z[slides], p.mu[slides]
        size = np.linalg.norm(at[:, 1:], axis=1)
        along = at[:, 1:] / size[:, None]
        impulse[slides, 0], impulse[slides, 1:] = at[:, 0], (mu * at[:, 0])[:, None] * along
        part = np.zeros((len(at), 3, 3))
        part[:, 0, 0], part[:, 1:, 0] = 1, mu[:, None] * along
        part[:, 1:, 1:] = (mu * at[:, 0] / size)[:, None, None] * (np.eye(2) - along[:, :, None] * along[:, None, :])
        D[slides] = part
        carried = np.where(bounded == 0, y, np.where(bounded < 0, p.lower, p.upper))
        g = u - p.free - p.J.T @ impulse.ravel() - p.G.T @ carried
        closed, free = np.nonzero(contacts != OPEN)[0], bounded == 0
        H = np.eye(len(u)) + np.einsum("iak,iab,ibl->kl", p.rows[closed], D[closed], p.rows[closed] / c[closed][:, :, None], optimize=True)
        H += p.G[free].T @ (p.G[free] / c_bounded[free][:, None])
        eps = np.exp(log_eps)
        rate = np.einsum("iab,ib->ia", D, -z * (eps * p.weight)[:, None] / c)
        rate_bounded = np.where(free, -y * eps * p.weight_bounded / c_bounded, 0)
        return g, H, -p.J.T @ rate.ravel() - p.G.T @ rate_bounded, (impulse.ravel(), carried), (z, y)

    def margins(self, z, y):
        """>= 0 where every row is in its piece: of contacts normal and slip, of bounded rows at both bounds."""
        p, (contacts, bounded) = self.problem, self.pieces
        slip = np.linalg.norm(z[:, 1:], axis=1)
        normal = np.where(contacts == OPEN, -z[:, 0], z[:, 0])
        cone = np.where(contacts == STICKS, p.mu * z[:, 0] - slip, np.where(contacts == SLIDES, slip - p.mu * z[:, 0], np.inf))
        low = np.where(bounded == -1, p.lower - y, np.where(bounded == 0, y - p.lower, np.inf))
        high = np.where(bounded == 1, y - p.upper, np.where(bounded == 0, p.upper - y, np.inf))
        return np.concatenate([normal, cone, low, high])

    def margin_slope(self, k, z, y, log_eps, direction):
        """Of margin k along (du, d ln eps)."""
        p, (contacts, bounded), n = self.problem, self.pieces, self.problem.contacts
        c, c_bounded = self.scale(log_eps)
        du, dl, eps = direction[:-1], direction[-1], np.exp(log_eps)
        if k < 2 * n:
            i = k % n
            dz = -(p.rows[i] @ du) / c[i] - z[i] * eps * p.weight[i] / c[i] * dl
            if k < n:
                return -dz[0] if contacts[i] == OPEN else dz[0]
            slope = p.mu[i] * dz[0] - (z[i, 1:] @ dz[1:]) / np.linalg.norm(z[i, 1:])
            return -slope if contacts[i] == SLIDES else slope
        i = (k - 2 * n) % len(p.b)
        dy = -(p.G[i] @ du) / c_bounded[i] - y[i] * eps * p.weight_bounded[i] / c_bounded[i] * dl
        inside = bounded[i] == 0
        return dy if inside == (k < 2 * n + len(p.b)) else -dy

    def cross(self, k, z):
        contacts, bounded = (part.copy() for part in self.pieces)
        n, m, mu = self.problem.contacts, len(self.problem.b), self.problem.mu
        if k < n:
            slips = np.linalg.norm(z[k, 1:]) > mu[k] * max(z[k, 0], 0)
            contacts[k] = OPEN if contacts[k] != OPEN else SLIDES if slips else STICKS
        elif k < 2 * n:
            contacts[k - n] = SLIDES if contacts[k - n] == STICKS else STICKS
        else:
            i, bound = (k - 2 * n) % m, -1 if k < 2 * n + m else 1
            bounded[i] = bound if bounded[i] == 0 else 0
        self.pieces = contacts, bounded
        self.changes += 1

    def rounding(self, u, log_eps):
        """Of the margins."""
        p = self.problem
        c, c_bounded = self.scale(log_eps)
        size = np.linalg.norm(u)
        contacts = (np.linalg.norm(p.rows, axis=(1, 2)) * size + np.abs(p.w.reshape(-1, 3)).max(1)) / c.min(1)
        bounded = (np.linalg.norm(p.G, axis=1) * size + np.abs(p.b)) / c_bounded
        return ROUNDING * np.concatenate([contacts, contacts, bounded, bounded])

    def correct(self, start, tangent, length):
        """The point of the path at a length along the tangent, or none."""
        u0, l0 = start
        u, log_eps, last = u0 + length * tangent[:-1] * self.unit, l0 + length * tangent[-1], np.inf
        for k in range(7):
            g, H, rate, impulse, z = self.evaluate(u, log_eps)
            off = tangent[:-1] @ (u - u0) / self.unit + tangent[-1] * (log_eps - l0) - length
            error = np.linalg.norm(g) / self.unit + abs(off)
            if error < SOLVED + UNIT_ROUNDING * np.exp(-log_eps):
                moved = np.append((u - u0) / self.unit, log_eps - l0)
                return None if np.linalg.norm(moved) > ASTRAY * length else ((u, log_eps), impulse, z, k)
            if not np.isfinite(error) or (k > 3 and error > 0.5 * last):
                return None
            last = error
            try:
                step = np.linalg.solve(H, np.column_stack([g, rate]))
            except np.linalg.LinAlgError:
                return None
            self.solves += 1
            dl = (tangent[:-1] @ step[:, 0] / self.unit - off) / (tangent[-1] - tangent[:-1] @ step[:, 1] / self.unit)
            u, log_eps = u - step[:, 0] - step[:, 1] * dl, log_eps + dl
        return None

    def locate(self, start, tangent, length, at, before, limit, just):
        """(the first row that leaves its piece, where, the point), or none where the corrector fails."""
        low, at_low, high, at_high = 0.0, before, length, self.margins(*at[2])
        for k in range(40):
            left = np.nonzero(at_high < -limit)[0]
            if just is not None and len(left) > 1:
                left = left[left != just]
            share = np.maximum(at_low[left], 0) / (np.maximum(at_low[left], 0) - at_high[left])
            first = left[np.argmin(share)]
            if high - low < 1e-13 * max(1, high):
                break
            middle = low + (np.clip(share.min(), 1e-3, 1 - 1e-3) if k % 3 < 2 else 0.5) * (high - low)
            trial = self.correct(start, tangent, middle)
            if trial is None:
                return None
            margin = self.margins(*trial[2])
            if (margin < -limit).any():
                high, at_high, at = middle, margin, trial
            else:
                low, at_low = middle, margin
                if margin[first] <= 10 * limit[first]:
                    at = trial
                    break
        return first, low if low > 0 else high, at

    def nearest(self, z, y, log_eps, direction, margin, just):
        """The margin that comes first along a direction, and how far it is: at a kink no corrector gets beyond it."""
        found = (np.inf, None)
        for k in np.nonzero(np.isfinite(margin))[0]:
            slope = self.margin_slope(k, z, y, log_eps, direction) if k != just else 0
            if slope < 0:
                found = min(found, (max(margin[k], 0) / -slope, k))
        return found

    def follow(self, largest, least):
        """(how it ended, eps, impulses)"""
        u, log_eps = self.problem.free.copy(), np.log(largest)
        for _ in range(200):
            self.pieces = self.pieces_at(u, log_eps)
            g, H, *_ = self.evaluate(u, log_eps)
            self.solves += 1
            if np.linalg.norm(g) < SOLVED * (1 + np.linalg.norm(u)):
                break
            u = u - np.linalg.solve(H, g)
        self.unit = np.linalg.norm(self.problem.free) + np.linalg.norm(u) + 1e-3
        last, length, just, impulse = None, 0.5, None, None
        while self.solves < self.most:
            g, H, rate, _, z = self.evaluate(u, log_eps)
            tangent = np.append(np.linalg.solve(H, -rate) / self.unit, 1.0)
            self.solves += 1
            tangent /= np.linalg.norm(tangent)
            direction = np.append(tangent[:-1] * self.unit, tangent[-1])
            if just is not None:
                sign = 1 if self.margin_slope(just, *z, log_eps, direction) > 0 else -1
            else:
                sign = -1 if last is None or tangent @ last < 0 else 1
            tangent, direction = sign * tangent, sign * direction
            self.turns += last is not None and tangent[-1] * last[-1] < 0
            margin, limit, start, a, first, at = self.margins(*z), self.rounding(u, log_eps), (u, log_eps), length, None, None
            while a >= SHORTEST:
                at = self.correct(start, tangent, a)
                left = self.margins(*at[2]) < -limit if at else None
                if at and not left.any():
                    break
                if at and just is not None and left[just] and a > 10 * SHORTEST:
                    a *= 0.1
                    continue
                found = self.locate(start, tangent, a, at, margin, limit, just) if at else None
                if found:
                    first, a, at = found
                    break
                a, at = 0.3 * a, None
            shortened, last = a < length, tangent
            if at:
                (u, log_eps), impulse, z = at[0], at[1], at[2]
                length = min(a if shortened or at[3] > 3 else 2 * a, LONGEST)
            else:
                distance, first = self.nearest(*z, log_eps, direction, margin, just)
                length = 1e-3
                if first is None or distance > NEAR:
                    return "lost", np.exp(log_eps), impulse
            just = first
            if first is not None:
                self.cross(first, z[0])
                length = max(length, 1e-4)
            if log_eps < np.log(least):
                return "end", np.exp(log_eps), impulse
            if log_eps > np.log(largest) + 1:
                return "back", np.exp(log_eps), impulse
        return "too long", np.exp(log_eps), impulse


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--largest", type=float, default=100.0, help="eps to begin with")
    parser.add_argument("--least", type=float, default=1e-7, help="and to end at")
    parser.add_argument("--solves", type=int, default=8000, help="linear solves at most")
    arguments = parser.parse_args()
    print(f"{'problem':40} contacts  {'ended':9} solves changes turns     eps  error [m/s]")
    for name in arguments.files:
        problem = Problem(name)
        path = Path(problem, arguments.solves)
        ended, eps, impulse = path.follow(arguments.largest, arguments.least)
        error = problem.error(*impulse) if impulse else np.nan
        print(f"{name.split('/')[-1][:40]:40} {problem.contacts:8}  {ended:9} {path.solves:6} {path.changes:7} {path.turns:5} "
              f"{eps:7.1e} {error:12.1e}")


if __name__ == "__main__":
    main()
