import { Feature } from '@cumulet/common/service/feature';
import { FiguresSweep } from './figures.sweep.js';
import { StatusMetrics } from './status-metrics.js';

@Feature({ providers: [FiguresSweep, StatusMetrics] })
export class FiguresModule {}
