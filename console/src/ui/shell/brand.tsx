import css from './brand.module.css'

/** The logo: two lines that merge into one trunk. */
const Logo = ({ size }: { size: number }) => (
  <svg className={css.mark} width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="7" fill="#335de0" />
    <path
      fill="#fff"
      d="M5.5 8H10a5 5 0 0 1 5 5v5h2v-5a5 5 0 0 1 5-5h4.5v3H22a2 2 0 0 0-2 2v12.5h-8V13a2 2 0 0 0-2-2H5.5z"
    />
  </svg>
)

export interface BrandProps {
  /** Size of the logo in pixels: 22 in the sidebar, 28 on sign-in. */
  size?: number
}

/** The logo, with the name beside it. */
export const Brand = ({ size = 22 }: BrandProps) => (
  <span className={css.brand} data-large={size > 22 || undefined}>
    <Logo size={size} />
    <span>Trunkline</span>
  </span>
)
