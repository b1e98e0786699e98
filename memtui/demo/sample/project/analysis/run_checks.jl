# Checks on real spectra. Usage: julia run_checks.jl --real-spectra DIR

include("fit_orbits.jl")

function check_wavelength_zero_point(spectrum)
    # The [O I] 5577 sky line must sit within 0.05 Å; otherwise the arc frames were mixed up.
    return abs(line_centre(spectrum, 5577.338) - 5577.338) < 0.05
end
