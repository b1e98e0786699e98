module run_star_extras
   use star_lib
   use star_def
   use const_def
   implicit none

contains

   ! Binding energy outside the mass coordinate m_core, in erg; recombination counts with the fraction f_rec.
   real(dp) function envelope_binding_energy(s, m_core, f_rec) result(energy)
      type(star_info), pointer :: s
      real(dp), intent(in) :: m_core, f_rec
      integer :: k
      energy = 0
      do k = 1, s% nz
         if (s% m(k) < m_core) exit
         energy = energy + s% dm(k) * (standard_cgrav * s% m(k) / s% r(k) - s% energy(k))
         energy = energy - f_rec * s% dm(k) * recombination_per_gram(s, k)
      end do
   end function envelope_binding_energy

   real(dp) function recombination_per_gram(s, k) result(energy)
      type(star_info), pointer :: s
      integer, intent(in) :: k
      energy = 1.3d13 * s% X(k) + 1.95d13 * s% Y(k)
   end function recombination_per_gram

   ! The core ends where hydrogen falls below 10 per cent: the definition the whole paper uses.
   real(dp) function core_boundary(s) result(m_core)
      type(star_info), pointer :: s
      integer :: k
      do k = s% nz, 1, -1
         if (s% X(k) > 0.1d0) exit
      end do
      m_core = s% m(k)
   end function core_boundary

end module run_star_extras
