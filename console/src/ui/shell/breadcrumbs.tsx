import css from './breadcrumbs.module.css'

export interface Breadcrumb {
  label: string
  /** Absent on the last step, which is the current page. */
  href?: string
}

/** Breadcrumbs: Accounts > Acme > Edit. */
export const Breadcrumbs = ({ steps }: { steps: Breadcrumb[] }) => (
  <nav aria-label="Breadcrumb" className={css.trail}>
    <ol>
      {steps.map((step, at) => (
        <li key={`${at}:${step.label}`}>
          {step.href && at < steps.length - 1 ? (
            <a href={step.href}>{step.label}</a>
          ) : (
            <span aria-current={at === steps.length - 1 ? 'page' : undefined}>{step.label}</span>
          )}
        </li>
      ))}
    </ol>
  </nav>
)
