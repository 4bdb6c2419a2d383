/** Metrics of the daemon. */
export { PROMETHEUS_TYPE, prometheusText } from './prometheus-text.js';
export { collectMetrics, type MetricsPorts } from './metrics.js';
export { createObserver } from './observer.js';
export { createWatchers } from './watchers.js';
