# Radial-velocity orbits of the 38 binaries. Usage: julia fit_orbits.jl --seed N [--target NAME]

using Random

struct Orbit
    period::Float64      # days
    k::Float64           # km/s
    gamma::Float64       # km/s
    phase::Float64
end

"Velocity of the M dwarf at time t (BJD), in km/s. Circular: the tides have had time."
velocity(o::Orbit, t) = o.gamma + o.k * sin(2π * (t / o.period - o.phase))

function log_likelihood(o::Orbit, t, v, sigma, jitter)
    s2 = sigma .^ 2 .+ jitter^2
    return -0.5 * sum((v .- velocity.(Ref(o), t)) .^ 2 ./ s2 .+ log.(2π .* s2))
end

function fit_orbit(t, v, sigma; seed::Integer, walkers = 64, steps = 20_000)
    rng = Xoshiro(seed)
    start = [Orbit(10^(2rand(rng) - 1), 200rand(rng), 0.0, rand(rng)) for _ in 1:walkers]
    return sample_posterior(rng, start, o -> log_likelihood(o, t, v, sigma, 0.5), steps)
end
