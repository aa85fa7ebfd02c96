import css from './breadcrumbs.module.css'

export interface Breadcrumb {
  label: string
  /** Absent on the last step, which is the current screen. */
  href?: string
}

/** Breadcrumbs: Accounts > Acme > Edit. */
export const Breadcrumbs = ({ steps }: { steps: Breadcrumb[] }) => (
  <nav aria-label="Breadcrumb" className={css.breadcrumbs}>
    <ol>
      {steps.map((step, index) => (
        <li key={`${index}:${step.label}`}>
          {step.href && index < steps.length - 1 ? (
            <a href={step.href}>{step.label}</a>
          ) : (
            <span aria-current={index === steps.length - 1 ? 'page' : undefined}>{step.label}</span>
          )}
        </li>
      ))}
    </ol>
  </nav>
)
